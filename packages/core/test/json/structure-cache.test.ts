import { expect, test } from 'vitest'
import { createBytesStamper } from '../../src/json/create-bytes-stamper.ts'
import { createExamplePlan, toBytes } from './example-plan.ts'

test('the structure cache never changes the values that a plan reads', () => {
  const plan = createExamplePlan([['deviceId'], ['owner', 'id']], {})
  const stamper = createBytesStamper(plan)
  const records: readonly (readonly [string, readonly unknown[]])[] = [
    ['{"deviceId":"a","owner":{"id":1}}', ['a', 1]],
    ['{"deviceIe":"a","owner":{"id":1}}', [undefined, 1]],
    ['{"deviceI\\u0064":"b","owner":{"ie":1}}', ['b', undefined]],
    ['{"owner":{"id":2},"deviceId":"c"}', ['c', 2]],
    ['{"id":9,"deviceId" :"d", "owner":{ "id":3}}', ['d', 3]],
    ['{"deviceId":"a","owner":{"id":1}}', ['a', 1]]
  ]
  for (let round = 0; round < 3; round++) {
    for (const [text, wanted] of records) {
      expect(stamper.stamp(toBytes(text)).ok).toBe(true)
      expect(plan.seen).toEqual(wanted)
    }
  }
})

test('a stamper reads records with more names than the structure cache can keep', () => {
  const plan = createExamplePlan([['key']], {})
  const stamper = createBytesStamper(plan)
  for (let record = 0; record < 3000; record++) {
    const names = Array.from({ length: 10 }, (_, each) => `"n${record}-${each}":0`).join(',')
    expect(stamper.stamp(toBytes(`{${names},"key":${record}}`)).ok).toBe(true)
    expect(plan.seen).toEqual([record])
  }
})

test('the structure cache does not complete a record that is cut off at any byte', () => {
  const stamper = createBytesStamper(createExamplePlan([], {}))
  const whole = toBytes('{"first":1,"second":2}')
  stamper.stamp(whole)
  for (let end = 1; end < whole.length; end++) expect(stamper.stamp(whole, undefined, 0, end).ok).toBe(false)
})
