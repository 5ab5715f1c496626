import { expect, test } from 'vitest'
import { outputsOf } from './outputs-of.ts'

test('B1 makes 1,000 logical partitions of 1,000 user ids', async () => {
  expect(await outputsOf('B1')).toEqual(['1000 logical partitions on 4 ranges'])
})

test('B2 accepts an id once under a key, and again under another key', async () => {
  expect(await outputsOf('B2')).toEqual(['201', '201', '409', 'written', 'written', 'rejected: ALREADY_EXISTS'])
})

test('B3 hashes the article’s key as version 1, version 2 and hierarchical containers do', async () => {
  expect(await outputsOf('B3')).toEqual([
    '31850F1537EA6E0808815BF860BA5C6A',
    '05C1D50D9D35E4086263642E3233342E3331323900',
    '33EFFEC1614940259313D649794FCA8D0080753213B5D91B72B0B0BC1987902F',
    'range 3'
  ])
})

test('B4 continues to write while a container is split, and finds every item afterwards', async () => {
  expect(await outputsOf('B4')).toEqual(['1 range became 2; 400 written, 400 read'])
})

test('B5 applies a batch inside one logical partition, all or nothing', async () => {
  expect(await outputsOf('B5')).toEqual([
    '201, 201',
    '424, 400; 2 items are stored',
    'written, written',
    'rejected: BATCH_FAILED, rejected: OPERATION_INVALID'
  ])
})

test('B7 warns of fields that change, and refuses a changed key in the record and in the container', async () => {
  expect(await outputsOf('B7')).toEqual([
    'warned of MUTABLE_INPUT at /from/1',
    'rejected: KEY_DIFFERS at /partitionKey',
    'refused by the service with 400'
  ])
})

test('B8 refuses a transaction whose items do not share a logical partition', async () => {
  const [, torn] = await outputsOf('B8')

  expect(torn).toContain('rejected: OPERATION_INVALID')
})

test('B12 accepts a container keyed by the id without a plan, and reads an item by its id alone', async () => {
  expect(await outputsOf('B12')).toEqual([
    expect.stringContaining('needs no plan'),
    '201',
    'date 2018',
    '409',
    'stored under its id, date 2018'
  ])
})
