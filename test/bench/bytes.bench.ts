import { createPlan, joinInto, type Source, type StampedBytes, type Rejection } from '@keystamp/core'
import { createTelemetry } from '@keystamp/lab'

import { lineOf, measure } from './measure.ts'

export const question = 'What does stamping JSON bytes save beside JSON.parse, spread and JSON.stringify?'

const COUNT = 1000

/** 1 KB telemetry, 32 % of the records with characters beyond ASCII, as Kafka hands it over: values that lie in one buffer. */
export async function run(report: (line: string) => void): Promise<void> {
  const telemetry = createTelemetry(42)
  const source: Source = { topic: 'telemetry', partition: 3, offset: '123456' }
  const keyed = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }], existing: 'overwrite' })
  const placed = createPlan({
    levels: [
      { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }], existing: 'overwrite' },
      { into: '/day', from: [{ field: '/day' }] },
      { into: '/VIN', from: [{ field: '/VIN' }] }
    ],
    id: { from: [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }], separator: '-', existing: 'overwrite' }
  })
  for (const [name, next] of [
    ['big', telemetry.big],
    ['big, ASCII only', telemetry.bigAscii],
    ['big, key fields last', telemetry.bigLate],
    ['small', telemetry.small]
  ] as const) {
    const values = inOneBuffer(Array.from({ length: COUNT }, () => Buffer.from(JSON.stringify(next()))))
    report(`  ${name}, ${Math.round(values.reduce((sum, value) => sum + value.length, 0) / COUNT)} bytes`)
    const contestants = [
      { name: 'parse, spread, stringify', run: () => values.forEach(stringifyWithKey) },
      { name: 'stampBytes, joined into a reused buffer', run: () => values.forEach((value) => join(keyed.stampBytes(value))) }
    ]
    for (const each of measure(contestants, { records: COUNT, repeats: 5, rounds: 25 })) report(lineOf(each))
    const withId = [
      { name: 'the same with an id, two more members checked', run: () => values.forEach((value) => stringifyWithId(value, source)) },
      { name: 'stampBytes with the id and three levels', run: () => values.forEach((value) => join(placed.stampBytes(value, source))) }
    ]
    for (const each of measure(withId, { records: COUNT, repeats: 5, rounds: 25 })) report(lineOf(each))
  }
}

const target = new Uint8Array(1 << 16)

function join(stamped: StampedBytes | Rejection): void {
  if (!stamped.ok) throw new Error(stamped.message)
  joinInto(stamped, target, 0)
}

interface Parsed {
  readonly deviceId: string
  readonly date: number
  readonly day: unknown
  readonly VIN: unknown
}

function stringifyWithKey(value: Buffer): string {
  const record = JSON.parse(value.toString()) as Parsed
  return JSON.stringify({ ...record, partitionKey: `${record.deviceId}-${record.date}` })
}

function stringifyWithId(value: Buffer, { topic, partition, offset }: Source): string {
  const record = JSON.parse(value.toString()) as Parsed
  if (typeof record.day !== 'string' || typeof record.VIN !== 'string') throw new Error('A level is no text.')
  return JSON.stringify({ ...record, partitionKey: `${record.deviceId}-${record.date}`, id: `${topic}-${partition}-${String(offset)}` })
}

function inOneBuffer(values: readonly Buffer[]): readonly Buffer[] {
  const whole = Buffer.concat(values)
  let at = 0
  return values.map((value) => whole.subarray(at, (at += value.length)))
}
