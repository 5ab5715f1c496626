import { expect, test } from 'vitest'
import { outputsOf } from './outputs-of.ts'

test('B1 1,000 user ids make 1,000 logical partitions', async () => {
  const [users] = await outputsOf('B1')

  expect(users).toBe('1000 logical partitions on 4 ranges')
})

test('B2 a container accepts an id once under each partition key', async () => {
  expect(await outputsOf('B2')).toEqual(['201', '201', '409', 'written', 'written', 'rejected: ALREADY_EXISTS'])
})

test('B3 the key of the article has the hash of version 1, of version 2 and of a hierarchical container', async () => {
  expect(await outputsOf('B3')).toEqual([
    '31850F1537EA6E0808815BF860BA5C6A',
    '05C1D50D9D35E4086263642E3233342E3331323900',
    '33EFFEC1614940259313D649794FCA8D0080753213B5D91B72B0B0BC1987902F',
    'range 3',
    expect.stringMatching(/^9\d of 9\d partitions idle$/),
    expect.stringMatching(/^0 of \d+ partitions idle$/)
  ])
})

test('B4 a writer continues while a physical partition is split, and every item is found afterwards', async () => {
  expect(await outputsOf('B4')).toEqual(['1 range became 2; 400 written, 400 read'])
})

test('B5 a batch inside one logical partition is applied as a whole or not at all', async () => {
  expect(await outputsOf('B5')).toEqual([
    '201, 201',
    '424, 400; 2 items are stored',
    'written, written',
    'rejected: BATCH_FAILED, rejected: OPERATION_INVALID',
    '100 % divided',
    '0 % divided'
  ])
})

test('B6 a container is moved to a new key, with a change that happens meanwhile', async () => {
  expect(await outputsOf('B6')).toEqual(['stored under abc-1-2018; abc-2-2018; abc-3-2018, changed'])
})

test('B7 a field that changes causes a warning, a changed key is refused in the record and by the service, and the old item can be deleted', async () => {
  expect(await outputsOf('B7')).toEqual([
    'warned of MUTABLE_INPUT at /from/1',
    'rejected: KEY_DIFFERS at /partitionKey',
    'refused by the service with 400',
    'old item deleted; stored under abc-123-2019',
    'changes during the life of a document, but the value of a partition key cannot change'
  ])
})

test('B8 a transaction whose items do not share a logical partition is refused', async () => {
  const [, torn] = await outputsOf('B8')

  expect(torn).toContain('rejected: OPERATION_INVALID')
})

test('B9 the planner chooses the property that most queries filter by', async () => {
  expect(await outputsOf('B9')).toEqual(['all', 'key', '/vin'])
})

test('B10 the planner says that the key of a small container does not matter for load', async () => {
  expect(await outputsOf('B10')).toEqual([
    'One physical partition is enough, so the key does not matter for the load, and no synthetic key is needed: /vin is the simplest key that fits the queries.'
  ])
})

test('B11 the planner computes the physical partitions that 3 TB need, and chooses the key that queries know', async () => {
  expect(await outputsOf('B11')).toEqual([
    '76 physical partitions at least',
    // one of the next numbers can have a lower price, because the keys of the sample are spread more evenly over it
    expect.stringMatching(/^7[678] physical partitions$/),
    'all',
    'key',
    '/vin'
  ])
})

test('B12 a container with the partition key /id needs no plan, and an item is read by its id alone', async () => {
  expect(await outputsOf('B12')).toEqual([
    expect.stringContaining('needs no plan'),
    '201',
    'date 2018',
    '409',
    'stored under its id, date 2018',
    'point read, no plan'
  ])
})

test('B13 the planner shows what the id costs as the key: queries of all partitions, unique ids, no transactions', async () => {
  expect(await outputsOf('B13')).toEqual([
    '76 physical partitions',
    'more than with the key /vin',
    'Ids must be unique in the whole container, and a transaction can contain only one document.'
  ])
})
