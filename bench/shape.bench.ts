import type { SinkRecord } from '@keystamp/connector'
import { toPosition } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'
import { type Contestant, lineOf, measure } from './measure.ts'
import { createRecordPath } from './sink/record-path.ts'

export const question = 'What do the steps of a shape cost a record of the sink?'

const COUNT = 1000
const BATCH = 64

/** Records of 1 KB, decoded, shaped, mapped and copied to a request, as in the sink. */
export async function run(report: (line: string) => void): Promise<void> {
  const telemetry = createTelemetry(42)
  const values = Array.from({ length: COUNT }, (_, id) => JSON.stringify({ ...telemetry.big(), id: String(id) }))
  const records = recordsOf(values)
  const value = { format: 'json' } as const
  const contestants = await Promise.all(
    SHAPES.map(async ([name, shape]): Promise<Contestant> => {
      const path = await createRecordPath(shape === undefined ? { value } : { value, shape })
      return { name, run: () => records.forEach(path) }
    })
  )
  contestants.push({
    name: 'JSON.parse, rename and mask, JSON.stringify',
    run: () => values.forEach(withObjects)
  })
  for (const measured of measure(contestants, { records: COUNT, repeats: 2, rounds: 40 })) report(lineOf(measured))
}

const RENAME = { kind: 'rename', fields: new Map([['/fw', '/firmware']]), of: 'value', when: undefined }
const MASK = { kind: 'mask', fields: ['/deviceId'], of: 'value', when: undefined }

const SHAPES: readonly (readonly [string, readonly object[] | undefined])[] = [
  ['without a shape', undefined],
  ['a condition that no record meets', [{ kind: 'filter', condition: { kind: 'header', name: 'x', negate: false } }]],
  ['rename and mask', [RENAME, MASK]],
  ['rename and mask with a hash', [RENAME, { ...MASK, hash: 'sha256' }]],
  ['flatten', [{ kind: 'flatten', delimiter: '.', of: 'value', when: undefined }]]
]

function withObjects(text: string): Buffer {
  const { fw, ...record } = JSON.parse(text) as Record<string, unknown>
  record['firmware'] = fw
  record['deviceId'] = ''
  return Buffer.from(JSON.stringify(record))
}

/** Values of one fetch are in one buffer. */
function recordsOf(values: readonly string[]): readonly SinkRecord[] {
  const records: SinkRecord[] = []
  for (let first = 0; first < values.length; first += BATCH) {
    const batch = values.slice(first, first + BATCH).map((value) => Buffer.from(value))
    const whole = Buffer.concat(batch)
    let at = 0
    for (const { length } of batch) records.push(recordOf(whole.subarray(at, (at += length)), records.length))
  }
  return records
}

function recordOf(value: Buffer, offset: number): SinkRecord {
  const key = Buffer.from(String(offset))
  return { topic: 't', partition: 0, offset: toPosition(offset), timestamp: '0', key, value, headers: {} }
}
