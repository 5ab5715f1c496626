import { createPlan, joinInto, type Plan, type Source, type StampedBytes, type Rejection } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'

import { lineOf, measure } from './measure.ts'

export const question = 'What does stamping JSON bytes save, compared with JSON.parse, spread and JSON.stringify?'

const COUNT = 1000

/**
 * Telemetry records of 1 KB, 32 % of them with characters beyond ASCII. All values are in one buffer, as kafkajs
 * delivers them.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const telemetry = createTelemetry(42)
  const vehicles = [
    ['big', telemetry.big],
    ['big, ASCII only', telemetry.bigAscii],
    ['big, key fields last', telemetry.bigLate]
  ] as const
  for (const [name, next] of vehicles) {
    const records = Array.from({ length: COUNT }, () => next())
    const values = inOneBuffer(records)
    report(titleOf(name, values))
    compare(
      report,
      values,
      ['parse, spread, stringify', stringifyWithKey],
      ['stampBytes, joined into a reused buffer', keyed]
    )
    const withoutId = inOneBuffer(records.map((record) => ({ ...record, id: undefined })))
    compare(
      report,
      withoutId,
      ['parse, spread, stringify, with an id', stringifyPlaced],
      ['stampBytes, with an id', idPlaced]
    )
    compare(
      report,
      withoutId,
      ['parse, spread, stringify, with an id and 4 components', stringifyWithId],
      ['stampBytes, with an id and 4 components', placed]
    )
    compare(
      report,
      values,
      ['parse, spread, stringify, 3 levels, id replaced', stringifyLevels],
      ['stampBytes, 3 levels, id replaced', leveled]
    )
  }
  const small = inOneBuffer(Array.from({ length: COUNT }, () => telemetry.small()))
  report(titleOf('small', small))
  compare(
    report,
    small,
    ['parse, spread, stringify', stringifyWithKey],
    ['stampBytes, joined into a reused buffer', keyed]
  )
  // comes last, since its effect on V8 lasts until the process ends
  detachMemory()
  const again = inOneBuffer(Array.from({ length: COUNT }, () => telemetry.big()))
  report('  big, in a process that has detached an ArrayBuffer, as fetch and transfers to workers do')
  compare(
    report,
    again,
    ['parse, spread, stringify', stringifyWithKey],
    ['stampBytes, joined into a reused buffer', keyed]
  )
}

function detachMemory(): void {
  const memory = new ArrayBuffer(8)
  structuredClone(memory, { transfer: [memory] })
}

function titleOf(name: string, values: readonly Buffer[]): string {
  return `  ${name}, ${Math.round(values.reduce((sum, value) => sum + value.length, 0) / values.length)} bytes`
}

const source: Source = { topic: 'telemetry', partition: 3, offset: '123456' }
const id = {
  from: [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }],
  separator: '-',
  existing: 'overwrite'
} as const
const [deviceId, date] = [{ field: '/deviceId' }, { field: '/date' }]

const keyed = createPlan({ into: '/partitionKey', from: [deviceId, date], existing: 'overwrite' })
const placed = createPlan({
  levels: [
    {
      into: '/partitionKey',
      from: [deviceId, date, { field: '/type', type: 'text' }, { field: '/VIN', type: 'text' }],
      existing: 'overwrite'
    }
  ],
  id
})
const idPlaced = createPlan({ into: '/partitionKey', from: [deviceId, date], existing: 'overwrite', id })
const leveled = createPlan({
  levels: [
    { into: '/partitionKey', from: [deviceId, date], existing: 'overwrite' },
    { into: '/day', from: [{ field: '/day' }] },
    { into: '/VIN', from: [{ field: '/VIN' }] }
  ],
  id
})

function compare(
  report: (line: string) => void,
  values: readonly Buffer[],
  [parseName, stringify]: readonly [string, (value: Buffer) => string],
  [name, plan]: readonly [string, Plan]
): void {
  const contestants = [
    { name: parseName, run: () => values.forEach((value) => stringify(value)) },
    { name, run: () => values.forEach((value) => join(plan.stampBytes(value, source))) }
  ]
  for (const each of measure(contestants, { records: COUNT, repeats: 2, rounds: 40 })) report(lineOf(each))
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
  readonly type: unknown
  readonly VIN: unknown
}

function stringifyWithKey(value: Buffer): string {
  const record = JSON.parse(value.toString()) as Parsed
  return JSON.stringify({ ...record, partitionKey: `${record.deviceId}-${record.date}` })
}

function stringifyPlaced(value: Buffer): string {
  const record = JSON.parse(value.toString()) as Parsed
  const { topic, partition, offset } = source
  return JSON.stringify({
    ...record,
    partitionKey: `${record.deviceId}-${record.date}`,
    id: `${topic}-${partition}-${String(offset)}`
  })
}

function stringifyWithId(value: Buffer): string {
  const record = JSON.parse(value.toString()) as Parsed
  const { type, VIN } = record
  if (typeof type !== 'string' || typeof VIN !== 'string') throw new Error('A property is not a string.')
  return JSON.stringify({
    ...record,
    partitionKey: `${record.deviceId}-${record.date}-${type}-${VIN}`,
    id: idOf(source)
  })
}

function stringifyLevels(value: Buffer): string {
  const record = JSON.parse(value.toString()) as Parsed
  if (typeof record.day !== 'string' || typeof record.VIN !== 'string') throw new Error('A level is not a string.')
  return JSON.stringify({ ...record, partitionKey: `${record.deviceId}-${record.date}`, id: idOf(source) })
}

function idOf({ topic, partition, offset }: Source): string {
  return `${topic}-${partition}-${String(offset)}`
}

function inOneBuffer(records: readonly object[]): readonly Buffer[] {
  const values = records.map((record) => Buffer.from(JSON.stringify(record)))
  const whole = Buffer.concat(values)
  let at = 0
  return values.map((value) => whole.subarray(at, (at += value.length)))
}
