import { KeystampError, type Plan } from '@keystamp/core'
import { type ContainerDefinition, type Operation, operationFor } from '@keystamp/cosmos'
import type { SinkSettings, WriteSettings } from '../config/settings.ts'
import { whyUnresolved } from '../config/tombstone-keys.ts'
import type { Decoded } from '../decode/decoder.ts'
import { createNameDeleted } from './deleted-row.ts'
import {
  covers,
  fixedPaths,
  type FixedPaths,
  type KeyedRecord,
  namesOf,
  pointerStep,
  rejectedByPlan,
  rejectMapping,
  type ToOperation
} from './mapping.ts'
import { createExtras, createPatch } from './patch.ts'
import { withPosition } from './record-position.ts'
import { createOldNames, type OldNames } from './previous-image.ts'
import { createReadOperation } from './record-operation.ts'
import { createStamper } from './stamper.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'

/** Maps records to operations, for one container. */
export interface RecordMapper {
  /**
   * Plan that the container has to fit: the configured one with additions from the settings. Undefined if records
   * contain their keys.
   */
  readonly plan: Plan | undefined
  /** Fingerprint of the settings that decide keys and ids. */
  readonly fingerprint: string
  /** Fingerprints of older plans whose documents this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** Maps a record to its operation; `ignore` if there is nothing to do. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Undefined if documents under old keys stay. */
  readonly oldNames: Pick<OldNames, 'withoutImage'> | undefined
}

export interface RecordMapperOptions {
  readonly settings: Pick<SinkSettings, 'plan' | 'id' | 'write' | 'shape'>
  readonly container: Pick<ContainerDefinition, 'partitionKey' | 'defaultTtl'>
  /** From 0 up to, but not including, 1; for plans with a random suffix only. */
  readonly random?: () => number
}

/** Creates a mapper. Throws CONFIG_INVALID or PLAN_INVALID if settings, plan and container contradict each other. */
export function createRecordMapper({ settings, container, random }: RecordMapperOptions): RecordMapper {
  const { write } = settings
  const stamping = { settings, partitionKey: container.partitionKey, random }
  const { stampBytes, plan, fingerprint, previousFingerprints } = createStamper(stamping)
  const fixed = fixedPaths(container.partitionKey.paths)
  checkWrite(write, container, fixed)
  const oldNames = write.rehome === undefined ? undefined : createOldNames(write.rehome, createStamper(stamping))
  const store = createToOperation(write, fixed)
  const { newerBy } = write
  const ordered = (make: ToOperation): ToOperation => (newerBy === undefined ? make : withPosition(make, newerBy))
  const toOperation = oldNames === undefined ? ordered(store) : withOldName(ordered(store), oldNames)
  const removeDocument = ordered((stamped) => operationFor('delete', { stamped }))

  const keyIsEnough = whyUnresolved({ ...settings, keyPaths: container.partitionKey.paths }) === undefined
  const stampKey = (source: KeyedRecord): ReturnType<typeof stampBytes> => stampBytes(NO_MEMBERS, source)
  const nameDeleted = createNameDeleted({
    stampKey: keyIsEnough ? stampKey : undefined,
    stampImage: createStamper(stamping).stampBytes
  })

  const readOperation = write.operation === undefined ? undefined : createReadOperation(write.operation)

  function map(record: SinkRecord, { json, key, change }: Decoded): Operation | SinkRejection | 'ignore' {
    const source = key === record.key ? record : withKey(record, key)
    if (change !== undefined && change.kind !== 'store')
      return change.kind === 'ignore' ? 'ignore' : toDelete(change.before, source)
    if (json === undefined) return toTombstoneOperation(source)
    const operation = readOperation === undefined ? 'store' : readOperation(json, source)
    if (operation === 'ignore' || typeof operation === 'object') return operation
    const stamped = stampBytes(json, source)
    if (!stamped.ok) return rejectedByPlan(stamped)
    return operation === 'delete' ? removeDocument(stamped, source) : toOperation(stamped, source, change?.before)
  }

  function toDelete(before: Uint8Array | undefined, source: KeyedRecord): Operation | SinkRejection {
    const stamped = nameDeleted(before, source)
    return stamped.ok ? removeDocument(stamped, source) : stamped
  }

  function toTombstoneOperation(source: KeyedRecord): Operation | SinkRejection | 'ignore' {
    if (write.tombstones === 'ignore' || (write.tombstones === 'repeated' && !keyIsEnough)) return 'ignore'
    if (write.tombstones === 'reject') return rejectMapping('TOMBSTONE_REJECTED')
    const stamped = stampKey(source)
    return stamped.ok ? removeDocument(stamped, source) : rejectedByPlan(stamped)
  }

  return { plan, fingerprint, previousFingerprints, map, oldNames }
}

// the key and the id of a tombstone come from its Kafka key and metadata
const NO_MEMBERS = Buffer.from('{}')

function createToOperation(write: SinkSettings['write'], fixed: FixedPaths): ToOperation {
  const { strategy } = write
  if (strategy === 'patch') return createPatch(write, fixed)
  if (strategy === 'delete' || strategy === 'deleteIfNotModified')
    return (stamped) => operationFor(strategy, { stamped })
  const addExtras = createExtras(write)
  if (addExtras === undefined) {
    // the most frequent case, without extra steps and objects
    return strategy === 'overwrite'
      ? (stamped) => ({ kind: 'upsert', stamped })
      : (stamped) => operationFor(strategy, { stamped })
  }
  return (stamped, record) => {
    const whole = addExtras(stamped, record)
    return whole.ok ? operationFor(strategy, { stamped: whole }) : whole
  }
}

/** Adds the old name of the document to an upsert whose key or id has changed. */
function withOldName(store: ToOperation, oldNames: OldNames): ToOperation {
  return (stamped, record, row) => {
    const before = oldNames.find(stamped, record, row)
    if (before === undefined) return store(stamped, record)
    if ('ok' in before) return before
    const operation = store(stamped, record)
    return 'kind' in operation && operation.kind === 'upsert' ? { ...operation, before } : operation
  }
}

function withKey(
  { topic, partition, offset, timestamp, headers, topicId }: SinkRecord,
  key: Decoded['key']
): KeyedRecord {
  return { topic, partition, offset, timestamp, headers, topicId, key }
}

/** Throws CONFIG_INVALID, which names every write setting that the container does not allow. */
function checkWrite(
  write: WriteSettings,
  { partitionKey, defaultTtl }: Pick<ContainerDefinition, 'partitionKey' | 'defaultTtl'>,
  fixed: FixedPaths
): void {
  const kept = new Set(['id', ...partitionKey.paths.map((path) => namesOf(path)[0])])
  if (write.ttl !== undefined) kept.add('ttl')
  const mistakes = [
    ...write.drop
      .filter((name) => kept.has(name))
      .map((name) => `\`write.dropProperties\` names ${JSON.stringify(name)}, which the sink itself writes.`),
    ...mistakesOfMetadata(write, kept, fixed),
    ...mistakesOfPatch(write, fixed)
  ]
  if (write.ttl !== undefined && defaultTtl === undefined) {
    mistakes.push(
      '`write.ttl` has no effect: no document of the container expires. Set the default TTL of the container to -1: then only documents with a `ttl` expire.'
    )
  }
  if (mistakes.length > 0) throw new KeystampError('CONFIG_INVALID', mistakes.join(' '))
}

function mistakesOfMetadata(
  { metadata }: WriteSettings,
  kept: ReadonlySet<string>,
  fixed: FixedPaths
): readonly string[] {
  if (metadata === undefined) return []
  const { into } = metadata
  const isTaken = kept.has(into) || into === 'ttl' || fixed.includes(pointerStep(into))
  return isTaken
    ? [`\`write.metadata.into\` is ${JSON.stringify(into)}, which the sink itself or Cosmos DB writes.`]
    : []
}

function mistakesOfPatch({ patch }: WriteSettings, fixed: FixedPaths): readonly string[] {
  return [...(patch?.members ?? [])].flatMap(([name, { operation, path }]) => {
    const isFixed =
      path !== undefined && operation !== 'none' && fixed.some((each) => covers(each, path) || covers(path, each))
    return isFixed
      ? [
          `\`write.patch.properties\` writes ${JSON.stringify(name)} to ${path}, which cannot be changed in a stored document.`
        ]
      : []
  })
}
