import type { PartitionKeyRange } from '@azure/cosmos'
import type { KeyComponent, KeyDefinition, KeyRange, Plan } from '@keystamp/core'
import { CosmosError } from './cosmos-error.ts'

/** The part of a container's definition that writers and readers need. */
export interface ContainerDefinition {
  /** Resource id. A container that is deleted and created again under the same name has another one. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 if only items with a `ttl` expire; undefined if nothing expires. */
  readonly defaultTtl: number | undefined
  /** Minutes that the change feed of all versions and deletes goes back; undefined if the container does not tell. */
  readonly versionsRetentionMinutes?: number
  /**
   * Changes that have the former version of the document in the change feed of all versions and deletes; undefined if
   * the container does not tell.
   */
  readonly previousImages?: PreviousImages
  /** JSON pointer of the value that decides between conflicting writes of several regions; undefined: `_ts` or a procedure. */
  readonly conflictPath?: string | undefined
  /** The indexing policy as JSON; undefined if the container does not tell. */
  readonly indexingPolicy?: object
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** Changes with previous images. */
export type PreviousImages = 'none' | 'replaces' | 'deletes' | 'all'

/** The part of a container's JSON that Keystamp uses. */
export interface ContainerJson extends ImagePolicyJson {
  readonly _rid?: string
  /** Self link, which names the container by its resource id: `dbs/<rid>/colls/<rid>/`. */
  readonly _self?: string
  readonly partitionKey?: { readonly paths: readonly string[]; readonly kind?: string; readonly version?: number }
  readonly defaultTtl?: number
  readonly indexingPolicy?: object
  readonly changeFeedPolicy?: { readonly retentionDuration?: number }
  readonly conflictResolutionPolicy?: { readonly mode?: string; readonly conflictResolutionPath?: string }
  readonly uniqueKeyPolicy?: { readonly uniqueKeys?: readonly { readonly paths: readonly string[] }[] }
}

/** Converts the container's JSON. */
export function toContainerDefinition({
  _rid: rid,
  partitionKey,
  defaultTtl,
  changeFeedPolicy,
  previousImageRetentionPolicy,
  conflictResolutionPolicy,
  indexingPolicy,
  uniqueKeyPolicy
}: ContainerJson): ContainerDefinition {
  const { retentionDuration = 0 } = changeFeedPolicy ?? {}
  const { paths = [], kind, version } = partitionKey ?? {}
  const previousImages = previousImagesIn({ previousImageRetentionPolicy })
  return {
    rid: rid ?? '',
    partitionKey: {
      paths: [...paths],
      kind: kind === 'MultiHash' ? 'MultiHash' : 'Hash',
      // a definition without a version uses version 1
      version: version === 2 ? 2 : 1
    },
    defaultTtl: defaultTtl ?? undefined,
    ...(retentionDuration > 0 ? { versionsRetentionMinutes: retentionDuration } : {}),
    ...(previousImages === undefined ? {} : { previousImages }),
    ...conflictPathIn(conflictResolutionPolicy),
    ...(indexingPolicy === undefined ? {} : { indexingPolicy }),
    uniqueKeys: (uniqueKeyPolicy?.uniqueKeys ?? []).map((key) => [...key.paths])
  }
}

/** The policy of previous images; `mode` is the former place of the setting. */
interface ImagePolicyJson {
  readonly previousImageRetentionPolicy?:
    | {
        readonly mode?: number
        readonly supportedFeatures?: { readonly allVersionsAndDeletes?: { readonly mode?: number } }
      }
    | undefined
}

/** The changes that have previous images; undefined if the container does not tell. */
export function previousImagesIn({
  previousImageRetentionPolicy: policy
}: ImagePolicyJson): PreviousImages | undefined {
  const mode = policy?.supportedFeatures?.allVersionsAndDeletes?.mode ?? policy?.mode
  return mode === undefined ? undefined : IMAGES[mode]
}

/** By the bits of the mode. */
const IMAGES: readonly (PreviousImages | undefined)[] = ['none', 'replaces', 'deletes', 'all']

function conflictPathIn(policy: ContainerJson['conflictResolutionPolicy']): Pick<ContainerDefinition, 'conflictPath'> {
  const { mode, conflictResolutionPath: path = '' } = policy ?? {}
  return mode !== 'LastWriterWins' || path === '' || path === '/_ts' ? {} : { conflictPath: pointerOfPath(path) }
}

/** Returns the self link, by which offers name the container. */
export function selfLinkIn({ _self: selfLink }: ContainerJson): string | undefined {
  return selfLink
}

/** A physical partition in the container's list. */
export interface ContainerRange extends KeyRange {
  /** Ids of the ranges that were split or merged into this one. */
  readonly parents: readonly string[]
  /** Part of the container's throughput that the range has; undefined if the list does not tell. */
  readonly throughputFraction?: number
}

/** One page of the list of ranges, as JSON. */
export interface RangesJson {
  readonly PartitionKeyRanges: readonly PartitionKeyRange[]
}

/**
 * Sorts the listed ranges. Throws COSMOS_UNAVAILABLE if there is a gap between them, which can happen for a moment
 * during a split.
 */
export function toContainerRanges(listed: readonly PartitionKeyRange[]): readonly ContainerRange[] {
  const ranges = listed.map(toRange).toSorted((a, b) => (a.min < b.min ? -1 : 1))
  let end = ''
  for (const { min, max } of ranges) {
    if (min !== end) throw incomplete()
    end = max
  }
  if (end !== 'FF') throw incomplete()
  return ranges
}

function toRange({ id, minInclusive, maxExclusive, parents, throughputFraction }: PartitionKeyRange): ContainerRange {
  const range = { id, min: minInclusive, max: maxExclusive, parents: parents ?? [] }
  return throughputFraction > 0 ? { ...range, throughputFraction } : range
}

function incomplete(): CosmosError {
  return new CosmosError(
    'COSMOS_UNAVAILABLE',
    'The container’s list of ranges has a gap. The list is read again at its next use.',
    {
      retriable: true
    }
  )
}

/** The property names of a container's key path: `/a/"b c"` is `['a', 'b c']`, and `\"` in quotes is a quote. */
export function membersOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^/]*))/g)].map(
    ([, double, single, bare]) => bare ?? (double ?? single).replaceAll(/\\(.)/g, '$1')
  )
}

/** The property names of a JSON pointer. */
export function membersOfPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON pointer for a container's key path. */
export function pointerOfPath(path: string): string {
  const members = membersOfPath(path).map((member) => member.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `/${members.join('/')}`
}

/** Returns the value at a path of a document; undefined if there is none. */
export function valueAt(document: unknown, members: readonly string[]): unknown {
  let value: unknown = document
  for (const member of members) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
    value = (value as Record<string, unknown>)[member]
  }
  return value
}

/** The key as the JSON array of a header or an operation, in which an empty object stands for a missing value. */
export function keyText(key: readonly KeyComponent[]): string {
  return `[${key.map(componentText).join(',')}]`
}

function componentText(value: KeyComponent): string {
  if (value === undefined) return '{}'
  // JSON.stringify writes 0, which is another key
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}

/** Throws CONTAINER_MISMATCH if the plan writes another key than the container's partition key. */
export function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void {
  const { paths, version } = partitionKey
  const stamped = plan.partitionKey
  if (!isSame(stamped.paths.map(membersOfPointer), paths.map(membersOfPath))) {
    throw mismatch(
      `The plan writes its key into ${list(stamped.paths)}, but the partition key of the container is ${list(paths)}.`,
      'Change `into` in the plan, or use another container: the partition key of a container cannot be changed.'
    )
  }
  // labels and maximum lengths of keys depend on the hash version
  if (stamped.version !== version && partitionKey.kind !== 'MultiHash') {
    throw mismatch(
      `The plan is made for hash version ${stamped.version}, but the container has hash version ${version}.`,
      `Write \`"hashVersion": ${version}\` into the plan.`
    )
  }
}

/** Returns warnings about a container that can be used, but may behave differently than expected. */
export function warningsAbout(
  { uniqueKeys, partitionKey }: ContainerDefinition,
  plan: Plan | undefined
): readonly string[] {
  const warnings = plan?.warnings.map(({ message }) => message) ?? []
  if (uniqueKeys.length > 0 && plan !== undefined) {
    const keys = uniqueKeys.map((paths) => paths.join(' with ')).join(', ')
    warnings.push(
      `The container has unique keys (${keys}). A unique key is only unique among documents with the same value of ${list(partitionKey.paths)}, and documents with different suffixes have different values.`
    )
  }
  return warnings
}

// compares names, because plans and containers write unusual names differently: `/a/b c` of a plan is `/a/"b c"` in a
// container
function isSame(stamped: readonly (readonly string[])[], keyed: readonly (readonly string[])[]): boolean {
  return JSON.stringify(stamped) === JSON.stringify(keyed)
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}

function mismatch(what: string, remedy: string): CosmosError {
  return new CosmosError('CONTAINER_MISMATCH', `${what} ${remedy}`)
}
