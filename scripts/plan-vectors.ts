import { createPlan, partitionHash, type PlanDefinition, type Source } from '@keystamp/core'

/** One row of docs/vectors/plans.json: a plan and a record, and the results that every reader has to compute. */
export interface PlanVector {
  readonly plan: PlanDefinition
  readonly record: Readonly<Record<string, unknown>>
  readonly source?: Source
  readonly values: readonly unknown[]
  readonly id: string | null
  readonly epk: string
}

type Row = readonly [plan: PlanDefinition, record: Record<string, unknown>, source?: Source]

const pk = (from: readonly unknown[], rest: object = {}): PlanDefinition =>
  ({ into: '/partitionKey', from, ...rest }) as PlanDefinition
const vin = '1FTFW1ET5DFC10312'
const kafka = { topic: 'cars', partition: 3, offset: '42' }

const ROWS: readonly Row[] = [
  [pk([{ field: '/deviceId' }, { field: '/date' }]), { deviceId: 'abc-123', date: 2018 }],
  [pk([{ field: '/deviceId' }, { field: '/date', type: 'date' }]), { deviceId: 'abc-123', date: '2018-08-09' }],
  [pk([{ field: '/deviceId' }, { field: '/date' }]), { deviceId: 'abc-123', date: '2018-08-09' }],
  [
    pk([{ field: '/date' }], { suffix: { by: '/Vehicle-Identification-Number', count: 400 } }),
    { date: '2018-08-09', 'Vehicle-Identification-Number': vin }
  ],
  [
    pk([{ field: '/date' }], { suffix: { by: '/Vehicle-Identification-Number', count: 400, labels: 'even' } }),
    { date: '2018-08-09', 'Vehicle-Identification-Number': vin }
  ],
  [
    pk([{ field: '/date' }], { hashVersion: 1, suffix: { by: '/vin', count: 50, labels: 'even' } }),
    { date: '2018-08-09', vin }
  ],
  [
    pk([{ field: '/date' }], { suffix: { by: ['/make', '/vin'], count: 20 } }),
    { date: '2018-08-09', make: 'Škoda-RS', vin }
  ],
  [pk([{ field: '/date' }], { suffix: { by: 'offset', count: 20 } }), { date: '2018-08-09' }, kafka],
  [pk([{ field: '/a' }, { field: '/b' }, { field: '/c' }]), { a: '-~.', b: '-~.', c: '' }],
  [
    pk([{ field: '/a' }, { field: '/b' }], { separator: '_', suffix: { by: '/a', count: 3, separator: ':' } }),
    { a: 'x_y', b: 'x_y:z' }
  ],
  [pk([{ field: '/a' }, { field: '/b' }], { encoding: 'plain' }), { a: 'x-y', b: 'y-z' }],
  [pk([{ field: '/a' }, { field: '/n' }]), { a: 'x', n: -5 }],
  [pk([{ field: '/a' }, { field: '/n' }]), { a: 'x', n: 1.5 }],
  [pk([{ field: '/a' }, { field: '/n', type: 'boolean' }, { literal: 'v-1' }]), { a: 'x', n: true }],
  [pk([{ field: '/a' }, { field: '/n', type: 'uuid' }]), { a: 'x', n: '123e4567-e89b-12d3-a456-426614174000' }],
  [pk([{ field: '/a' }, { bucket: 'hour', of: '/at', zone: '+02:00' }]), { a: 'x', at: '2018-08-09T22:30:00Z' }],
  [pk([{ field: '/a' }, { bucket: 'minute:15', of: '/at', epoch: 'seconds' }]), { a: 'x', at: 1533799000 }],
  [pk([{ field: '/vehicle/owner/0' }]), { vehicle: { owner: ['日本', '😀'] } }],
  [pk([{ field: '/a' }], { tooLong: 'hash', suffix: { by: '/a', count: 400 } }), { a: 'é'.repeat(1500) }],
  [
    pk([{ kafka: 'topic' }], { id: { from: [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }] } }),
    {},
    kafka
  ],
  [pk([{ id: true }, { field: '/a' }], { id: { from: [{ field: '/name' }] } }), { a: 'x', name: 'a/b c?#~ ' }],
  [
    {
      levels: [
        { into: '/tenantId', from: [{ field: '/tenantId', type: 'integer' }] },
        { into: '/day', from: [{ bucket: 'day', of: '/at' }], suffix: { by: '/deviceId', count: 16 } }
      ]
    },
    { tenantId: 7, at: '2018-08-09T07:00:00Z', deviceId: 'abc-123' }
  ],
  [pk([{ field: '/a' }, { field: '/b', empty: { use: 'no-one' } }]), { a: 'x', b: '' }],
  [
    pk([
      { kafka: 'key', empty: { use: 'none' } },
      { bucket: 'day', of: '/at', empty: { use: 'never' } }
    ]),
    { at: '' },
    { key: '' }
  ],
  [pk([{ field: '/a' }, { field: '/n', type: 'integer', coerce: true }]), { a: 'x', n: '015' }],
  [{ into: '/n', from: [{ field: '/n', type: 'integer', coerce: true }] }, { n: '-007' }],
  [
    pk([{ field: '/a' }, { bucket: 'hour', of: '/at', epoch: 'seconds', coerce: true }]),
    { a: 'x', at: '1533799000.5' }
  ],
  [pk([{ field: '/a' }, { bucket: 'day', of: '/at', epoch: 'microseconds' }]), { a: 'x', at: 1533772799999999 }],
  [
    {
      levels: [
        { into: '/tenantId', from: [{ field: '/tenantId' }] },
        { into: '/id', from: [{ id: true }] }
      ],
      id: { from: [{ field: '/id' }] }
    },
    { tenantId: 't', id: 7 }
  ],
  ...hotRows()
]

/** Values with a number of suffixes of their own: hot and cold, numbered and even. */
function hotRows(): Row[] {
  const hot = JSON.parse('{"tenant-0":16,"tenant-7":4,"__proto__":3,"x":1}') as Record<string, number>
  const numbered = pk([{ field: '/tenant' }], { suffix: { by: '/vin', count: 1, hot } })
  const even = pk([{ field: '/tenant' }, { bucket: 'day', of: '/at' }], {
    suffix: { by: '/vin', count: 1, labels: 'even', hot }
  })
  const long = 'é'.repeat(1500)
  const cut = pk([{ field: '/tenant' }], { tooLong: 'hash', suffix: { by: '/vin', count: 1, hot: { [long]: 16 } } })
  const second = pk([{ field: '/day' }, { field: '/tenant' }], { suffix: { by: '/vin', count: 8, hot, on: 2 } })
  return [
    [numbered, { tenant: 'tenant-0', vin }],
    // without the field of the suffix, which only hot values need
    [numbered, { tenant: 'tenant-1' }],
    // a cold base that looks like a label of a hot one
    [numbered, { tenant: 'tenant-0.3', vin }],
    [numbered, { tenant: '__proto__', vin }],
    [even, { tenant: 'tenant-0', at: '2018-08-09T07:00:00Z', vin }],
    [even, { tenant: 'tenant-1', at: '2018-08-09T07:00:00Z' }],
    [cut, { tenant: long, vin }],
    [cut, { tenant: `${long}-cold` }],
    [second, { day: '2018-08-09', tenant: 'tenant-7', vin }],
    [second, { day: '2018-08-09', tenant: 'x' }],
    [second, { day: '2018-08-09', tenant: 'y', vin }]
  ]
}

/** Computes every row again. */
export function planVectors(): readonly PlanVector[] {
  return ROWS.map(([plan, record, source]) => {
    const ready = createPlan(plan)
    const { values } = ready.keyFor(record, source)
    const result = ready.stamp(structuredClone(record), source)
    // a record with an empty string is rejected, but readers still find documents that were written before
    if (!result.ok && result.code !== 'FIELD_EMPTY') throw new Error(`A vector is rejected: ${result.message}`)
    if (result.ok && result.values.join() !== values.join())
      throw new Error('A vector is stamped and looked up under different keys.')
    const epk = partitionHash(values, ready.partitionKey)
    return {
      plan,
      record,
      ...(source === undefined ? {} : { source }),
      values,
      id: (result.ok && result.id) || null,
      epk
    }
  })
}
