import type * as core from '@keystamp/core'
import { createTelemetry, type VehicleRecord } from '@keystamp/testkit'

type Vehicle = Omit<VehicleRecord, 'id'> & { id?: string | undefined; partitionKey?: string | undefined }

/** A plan and the state of the records that it meets. */
interface KeyCase {
  readonly definition: core.PlanDefinition
  readonly requireId?: boolean
  /** Brings a record into the state in which it is stamped. */
  readonly reset: (record: Vehicle) => void
}

const DEVICE = { field: '/deviceId' } as const
const BY_DEVICE = { into: '/partitionKey', from: [DEVICE, { field: '/date' }], existing: 'overwrite' } as const

/** A case for each part of a plan that decides how `core` computes the key. */
const CASES: Readonly<Record<string, KeyCase>> = {
  fresh: { definition: BY_DEVICE, reset: withoutKey },
  // the records have another key
  existing: { definition: BY_DEVICE, reset: withOldKey },
  'own-id': { definition: BY_DEVICE, requireId: true, reset: withoutKey },
  suffix: { definition: { ...BY_DEVICE, suffix: { by: '/VIN', count: 400 } }, reset: withoutKey },
  bucket: { definition: { ...BY_DEVICE, from: [DEVICE, { bucket: 'day', of: '/ts' }] }, reset: withoutKey },
  'made-id': {
    definition: { ...BY_DEVICE, id: { from: [{ field: '/VIN' }, { kafka: 'offset' }] } },
    reset: withoutKeyAndId
  },
  'kafka-id': {
    definition: { ...BY_DEVICE, id: { from: [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }] } },
    reset: withoutKeyAndId
  },
  nested: { definition: { ...BY_DEVICE, from: [{ field: '/vehicle/owner/name' }, DEVICE] }, reset: withoutKey },
  // the records have key and id
  present: { definition: { into: '/deviceId', from: [DEVICE] }, requireId: true, reset: () => undefined },
  levels: {
    definition: {
      levels: [
        { into: '/deviceId', from: [DEVICE] },
        { into: '/VIN', from: [{ field: '/VIN' }] }
      ]
    },
    requireId: true,
    reset: () => undefined
  }
}

const KINDS = ['objects', 'bytes'] as const

/** Names of all key cases, such as `bytes/suffix`. */
export const KEY_CASES: readonly string[] = Object.keys(CASES).flatMap((name) => KINDS.map((kind) => `${kind}/${name}`))

const SOURCE: core.Source = { topic: 'telemetry', partition: 3, offset: '123456' }

/** Number of records that are measured: about a third of a second. */
export const RECORDS = { objects: 2_000_000, bytes: 250_000 } as const

/** Creates a function that stamps a number of records, with the plan of a case and nothing around it. */
export function createKeyCase(
  { createPlan, joinInto }: typeof core,
  kind: keyof typeof RECORDS,
  name: string
): (count: number) => Promise<void> {
  const { definition, requireId = false, reset } = CASES[name]
  const plan = createPlan(definition, { requireId })
  const records = Array.from({ length: 1000 }, createTelemetry(5).big) as Vehicle[]
  records.forEach(reset)
  return kind === 'objects' ? stampObjects : stampBytes

  async function stampObjects(count: number): Promise<void> {
    for (let done = 0; done < count; done += records.length) {
      for (const record of records) {
        reset(record)
        const stamped = plan.stamp(record, SOURCE)
        if (!stamped.ok) throw new Error(stamped.message)
      }
    }
  }

  async function stampBytes(count: number): Promise<void> {
    const values = records.map((record) => Buffer.from(JSON.stringify(record)))
    const target = new Uint8Array(1 << 16)
    for (let done = 0; done < count; done += values.length) {
      for (const value of values) {
        const stamped = plan.stampBytes(value, SOURCE)
        if (!stamped.ok) throw new Error(stamped.message)
        joinInto(stamped, target, 0)
      }
    }
  }
}

function withoutKey(record: Vehicle): void {
  record.partitionKey = undefined
}

function withOldKey(record: Vehicle): void {
  record.partitionKey = 'old-key'
}

function withoutKeyAndId(record: Vehicle): void {
  record.partitionKey = undefined
  record.id = undefined
}
