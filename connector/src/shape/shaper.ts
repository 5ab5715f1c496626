import type { Plan } from '@keystamp/core'
import { type ContainerDefinition, type Operation, operationFor } from '@keystamp/cosmos'
import type { SinkSettings } from '../config/settings.ts'
import type { Decoded } from '../decode/decoder.ts'
import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import { checkWrite } from './check-write.ts'
import { createExtras } from './extras.ts'
import { fixedPaths, type FixedPaths } from './fixed-paths.ts'
import type { KeyedRecord } from './keyed-record.ts'
import { createPatch } from './patch.ts'
import { rejectedByPlan, rejectShape } from './reject-shape.ts'
import { createStamper } from './stamper.ts'
import type { ToOperation } from './to-operation.ts'

/** Makes operations of records, for one container. */
export interface Shaper {
  /** What the container has to fit: the configured plan and what the settings add to it; undefined where keys stay where the container looks for them. */
  readonly plan: Plan | undefined
  /** Names what decides keys and ids. */
  readonly fingerprint: string
  /** Fingerprints whose keys this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** What is to be done with a record; `ignore` where nothing is. */
  readonly shape: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
}

export interface ShaperOptions {
  readonly settings: Pick<SinkSettings, 'plan' | 'id' | 'write'>
  readonly container: Pick<ContainerDefinition, 'partitionKey' | 'defaultTtl'>
  /** From 0 up to, but not including, 1; for plans with a random suffix only. */
  readonly random?: () => number
}

/** Throws CONFIG_INVALID or PLAN_INVALID where settings, plan and container do not go together. */
export function createShaper({ settings, container, random }: ShaperOptions): Shaper {
  const { write } = settings
  const { stampBytes, plan, fingerprint, previousFingerprints } = createStamper({ settings, partitionKey: container.partitionKey, random })
  const fixed = fixedPaths(container.partitionKey.paths)
  checkWrite(write, container, fixed)
  const toOperation = createToOperation(write, fixed)

  function shape(record: SinkRecord, { json, key }: Decoded): Operation | SinkRejection | 'ignore' {
    const source = key === record.key ? record : withKey(record, key)
    if (json === undefined) return bury(source)
    const stamped = stampBytes(json, source)
    return stamped.ok ? toOperation(stamped, source) : rejectedByPlan(stamped)
  }

  function bury(source: KeyedRecord): Operation | SinkRejection | 'ignore' {
    if (write.tombstones === 'ignore') return 'ignore'
    if (write.tombstones === 'reject') return rejectShape('TOMBSTONE_REJECTED')
    const stamped = stampBytes(NO_MEMBERS, source)
    return stamped.ok ? operationFor('delete', { stamped }) : rejectedByPlan(stamped)
  }

  return { plan, fingerprint, previousFingerprints, shape }
}

// a tombstone's key and id come from what surrounds it
const NO_MEMBERS = Buffer.from('{}')

function createToOperation(write: SinkSettings['write'], fixed: FixedPaths): ToOperation {
  const { strategy } = write
  if (strategy === 'patch') return createPatch(write, fixed)
  if (strategy === 'delete' || strategy === 'deleteIfNotModified') return (stamped) => operationFor(strategy, { stamped })
  const addExtras = createExtras(write)
  if (addExtras === undefined) {
    // the usual way, without a step or an object too many
    return strategy === 'overwrite' ? (stamped) => ({ kind: 'upsert', stamped }) : (stamped) => operationFor(strategy, { stamped })
  }
  return (stamped, record) => {
    const whole = addExtras(stamped, record)
    return whole.ok ? operationFor(strategy, { stamped: whole }) : whole
  }
}

function withKey({ topic, partition, offset, timestamp, headers }: SinkRecord, key: Decoded['key']): KeyedRecord {
  return { topic, partition, offset, timestamp, headers, key }
}
