import { isUtf8 } from 'node:buffer'
import type { StampedBytes } from '@keystamp/core'
import type { PatchOperation, PatchStep } from '@keystamp/cosmos'
import type { MetadataSettings, PatchSettings, WriteSettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { RecordHeaders } from '../kafka/consumer-port.ts'
import {
  covers,
  type FixedPaths,
  type KeyedRecord,
  membersOf,
  namesOf,
  pointerStep,
  rejectMapping,
  type ToOperation,
  valueAt
} from './mapping.ts'
import { createPropertyEdit } from './property-edit.ts'

/**
 * Patches the stored document with the properties of a record. If the configured condition does not hold, the document
 * stays as it is.
 */
export function createPatch({ patch, drop, ttl, metadata }: WriteSettings, fixed: FixedPaths): ToOperation {
  const ownNames = [...(ttl === undefined ? [] : ['ttl']), ...(metadata === undefined ? [] : [metadata.into])]
  const makeSteps = createPatchSteps({ settings: patch, fixed, leftOut: [...drop, ...ownNames] })
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)
  const condition = patch?.condition
  const whether: Pick<PatchOperation, 'condition' | 'ignore'> =
    condition === undefined ? {} : { condition, ignore: [412] }

  return (stamped, record) => {
    const steps = makeSteps(stamped)
    if ('ok' in steps) return steps
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    if (seconds !== undefined) steps.push({ op: 'set', path: '/ttl', value: seconds })
    if (describe !== undefined) steps.push({ op: 'set', path: pointerStep(metadata!.into), value: describe(record) })
    return { ...whether, kind: 'patch', key: stamped.values, id: stamped.id!, steps }
  }
}

interface PatchOptions {
  readonly settings: PatchSettings | undefined
  /** JSON pointers that a patch cannot change. */
  readonly fixed: FixedPaths
  /** Names of the properties that a patch leaves out. */
  readonly leftOut: readonly string[]
}

/** Creates the steps that bring a document to the state of the record, property by property. */
type MakeSteps = (stamped: StampedBytes) => PatchStep[] | SinkRejection

/**
 * If a property contains a level of the key, the properties inside of it are patched instead. A configured removal
 * applies even if the record lacks the property.
 */
function createPatchSteps({ settings = SET_ALL, fixed, leftOut }: PatchOptions): MakeSteps {
  const removals = [...settings.members].filter(([, { operation }]) => operation === 'remove')
  const removed = new Set(removals.map(([name]) => name))

  return (stamped) => {
    const steps: PatchStep[] = []
    for (const [name, value] of Object.entries(membersOf(stamped))) {
      if (leftOut.includes(name) || removed.has(name)) continue
      const { operation = settings.operation, path = pointerStep(name) } = settings.members.get(name) ?? {}
      const rejection = addSteps(steps, operation, path, value)
      if (rejection !== undefined) return rejection
    }
    for (const [name, { path = pointerStep(name) }] of removals) steps.push({ op: 'remove', path })
    return steps.length === 0 ? rejectMapping('PATCH_EMPTY') : steps
  }

  function addSteps(steps: PatchStep[], operation: Operation, path: string, value: unknown): SinkRejection | undefined {
    if (operation === 'none' || fixed.some((each) => covers(each, path))) return undefined
    if (fixed.some((each) => covers(path, each))) return addInside(steps, operation, path, value)
    if (operation !== 'increment')
      steps.push(operation === 'remove' ? { op: operation, path } : { op: operation, path, value })
    else if (Number.isFinite(value)) steps.push({ op: 'incr', path, value: value as number })
    else return rejectMapping('PATCH_NOT_NUMBER', path)
    return undefined
  }

  function addInside(
    steps: PatchStep[],
    operation: Operation,
    path: string,
    value: unknown
  ): SinkRejection | undefined {
    for (const [name, each] of Object.entries(value as object)) {
      const rejection = addSteps(steps, operation, path + pointerStep(name), each)
      if (rejection !== undefined) return rejection
    }
    return undefined
  }
}

type Operation = PatchSettings['operation']

const SET_ALL: PatchSettings = { operation: 'set', members: new Map(), condition: undefined }

/**
 * Creates the edit that adds and removes the configured properties, in addition to key and id; undefined if none are
 * configured.
 */
export function createExtras({
  ttl,
  metadata,
  drop
}: WriteSettings): ((stamped: StampedBytes, record: KeyedRecord) => StampedBytes | SinkRejection) | undefined {
  if (ttl === undefined && metadata === undefined && drop.length === 0) return undefined
  const edit = createPropertyEdit(drop, metadata === undefined ? ['ttl'] : ['ttl', metadata.into])
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)

  return (stamped, record) => {
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    return edit(stamped, [
      seconds === undefined ? undefined : String(seconds),
      describe && JSON.stringify(describe(record))
    ])
  }
}

/** Time to live of a document, in seconds; undefined if the container decides. */
type TimeToLive = (stamped: StampedBytes) => number | undefined | SinkRejection

/** Reads the time to live from the record. If the field is missing or null, the container decides. */
function createTimeToLive(ttl: NonNullable<WriteSettings['ttl']>): TimeToLive {
  if (typeof ttl === 'number') return () => ttl
  const { field } = ttl
  const pointer = namesOf(field)
  return (stamped) => {
    const value = valueAt(stamped, pointer) ?? undefined
    return value === undefined || isTimeToLive(value) ? value : rejectMapping('TTL_INVALID', field)
  }
}

/** Whether Cosmos DB accepts it: -1 for never, or a number of seconds. */
function isTimeToLive(value: unknown): value is number {
  return Number.isInteger(value) && (value === -1 || ((value as number) > 0 && (value as number) < 2 ** 31))
}

/** Origin of a record. Bytes that are not UTF-8 are given in base64. */
function createMetadata({ fields }: Pick<MetadataSettings, 'fields'>): (record: KeyedRecord) => object {
  return (record) => Object.fromEntries(fields.map((field) => [field, valueOf(record, field)]))
}

function valueOf(record: KeyedRecord, field: MetadataSettings['fields'][number]): unknown {
  switch (field) {
    case 'topic':
      return record.topic
    case 'partition':
      return record.partition
    case 'offset':
      return record.offset
    case 'timestamp':
      return Number(record.timestamp)
    case 'key':
      return textOf(record.key)
    case 'headers':
      return headersOf(record.headers)
  }
}

function headersOf(headers: RecordHeaders): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' || value instanceof Uint8Array ? textOf(value) : (value?.map(textOf) ?? null)
    ])
  )
}

function textOf(value: Uint8Array | string | null): string | null {
  if (value === null || typeof value === 'string') return value
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'base64')
}
