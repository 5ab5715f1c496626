import { createPlan } from '@keystamp/core'
import { expect, test } from 'vitest'
import { COMPUTED_SUFFIX, DATE, JOINED, RANDOM_SUFFIX, SOME_VIN, VIN, vins } from './article-data.ts'
import { outputsOf } from './outputs-of.ts'

test('A1 a key made of the date alone causes a warning, a key with 400 suffixes causes none, and the planner counts the values of keys', async () => {
  expect(await outputsOf('A1')).toEqual([
    'warned of DATE_ONLY at /from',
    'no warning',
    '5 logical partitions; the largest has 20.0 %',
    '1000 logical partitions; the largest has 0.1 %',
    '/vin'
  ])
})

test('A2 a plan makes a key of deviceId alone, of date alone, or of both: "abc-123-2018"', async () => {
  expect(await outputsOf('A2')).toEqual([
    '{"deviceId":"abc-123","date":2018,"partitionKey":"abc-123"}',
    '{"deviceId":"abc-123","date":2018,"partitionKey":"2018"}',
    '{"deviceId":"abc-123","date":2018,"partitionKey":"abc-123-2018"}'
  ])
})

test('A2 a plan joins two fields by default with the separator of the article', () => {
  const { separator: _, ...withoutSeparator } = JOINED as typeof JOINED & { separator: string }

  expect(createPlan(withoutSeparator as typeof JOINED).keyFor({ deviceId: 'abc-123', date: 2018 }).key).toBe(
    'abc-123-2018'
  )
})

test('A3 an object, its bytes, a line of JSON and the stored document get the same key', async () => {
  const document = '{"deviceId":"abc-123","date":2018,"partitionKey":"abc-123-2018"}'
  const outputs = await outputsOf('A3')

  expect(outputs.slice(0, 3).map((output) => JSON.parse(output))).toEqual(
    Array.from({ length: 3 }, () => JSON.parse(document))
  )
  expect(outputs.slice(3)).toEqual(Array.from({ length: 2 }, () => 'stored with the key "abc-123-2018"'))
})

test('A4 a random suffix makes keys from 2018-08-09.1 to 2018-08-09.400, and causes a warning', async () => {
  expect(await outputsOf('A4')).toEqual([
    '2018-08-09.1, warned of RANDOM_SUFFIX at /suffix/by',
    '2018-08-09.201, warned of RANDOM_SUFFIX at /suffix/by',
    '2018-08-09.400, warned of RANDOM_SUFFIX at /suffix/by'
  ])
})

test('A4 a random suffix takes each of the 400 values', () => {
  let drawn = -0.5
  const { stamp } = createPlan(RANDOM_SUFFIX, { random: () => ++drawn / 400 })
  const keys = Array.from({ length: 400 }, () => {
    const stamped = stamp({ date: DATE })
    return stamped.ok ? stamped.values[0] : stamped.code
  })

  expect(keys).toEqual(Array.from({ length: 400 }, (_, index) => `2018-08-09.${index + 1}`))
})

test('A5 a reader reads a day back by its 400 keys, in order, with one request for each physical partition', async () => {
  expect(await outputsOf('A5')).toEqual([
    '400 keys: 2018-08-09.1, 2018-08-09.2, ... 2018-08-09.400',
    '100 documents in order, 4 requests'
  ])
})

test('A6 a suffix is computed from the Vehicle-Identification-Number, and none of the 400 values is used more than 1.2 times the average', async () => {
  const [document, evenness] = await outputsOf('A6')

  expect(document).toBe(
    `{"date":"2018-08-09","Vehicle-Identification-Number":"${SOME_VIN}","partitionKey":"2018-08-09.192"}`
  )
  expect(evenness).toMatch(/^400 keys; the busiest takes 1\.[01]\d times the average$/)
})

test('A7 a read by vehicle and date uses a single key, and a read without the vehicle is refused with the missing field', async () => {
  const [key, refused, all, one] = await outputsOf('A7')

  expect(key).toBe('2018-08-09.192')
  expect(refused).toMatch(/^PARTS_MISSING: .*\/Vehicle-Identification-Number/)
  expect(all).toBe('trip-1, trip-2, by 1 query inside one logical partition')
  expect(one).toBe('trip-2, by 1 point read')
})

test('A7 keyFor returns the key that stamp has added to the record', () => {
  const plan = createPlan(COMPUTED_SUFFIX)
  for (const vin of vins(100)) {
    const stamped = plan.stamp({ date: DATE, [VIN]: vin, speed: 90 })

    expect(stamped.ok && stamped.values).toEqual([plan.keyFor({ date: DATE, [VIN]: vin }).key])
  }
})

test('A8 suffixes spread the writes of a day from one physical partition to all 20', async () => {
  const outputs = await outputsOf('A8')

  expect(outputs[0]).toMatch(/^1 key on 1 range; .* the busiest range 100\.0 %$/)
  expect(outputs[1]).toMatch(/^400 keys on 20 ranges; .* the busiest range [67]\.\d %$/)
  expect(outputs[2]).toMatch(/^400 keys on 20 ranges; .* the busiest range 5\.\d %$/)
  expect(outputs[3]).toMatch(/^9\d of 9\d partitions idle$/)
  expect(outputs[4]).toMatch(/^0 of \d+ partitions idle$/)
  expect(outputs[5]).toMatch(/^hot key: 50 %, RU that cannot be used: \d+ %$/)
})

test('A9 the throughput of a container or a database can be read, whether it is manual or autoscale', async () => {
  expect(await outputsOf('A9')).toEqual([
    '1000 RU/s',
    'container: no offer of its own; database: 1000 RU/s',
    'up to 4000 RU/s',
    'container: no offer of its own; database: up to 4000 RU/s',
    'manual and autoscale'
  ])
})
