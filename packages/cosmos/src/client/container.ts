import type { PartitionKeyRange } from '@azure/cosmos'
import type { KeyDefinition, KeyRange, Plan } from '@keystamp/core'
import { CosmosError } from './cosmos-error.ts'

/** Definition of a container, as far as writing and reading depend on it. */
export interface ContainerDefinition {
  /** Resource id: changes when a container is deleted and created again under the same name. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 where only items with a `ttl` expire; undefined where nothing expires. */
  readonly defaultTtl: number | undefined
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** The part of a container's JSON that is read. */
export interface ContainerJson {
  readonly _rid?: string
  /** Self link, which names the container by its resource id: `dbs/<rid>/colls/<rid>/`. */
  readonly _self?: string
  readonly partitionKey?: { readonly paths: readonly string[]; readonly kind?: string; readonly version?: number }
  readonly defaultTtl?: number
  readonly uniqueKeyPolicy?: { readonly uniqueKeys?: readonly { readonly paths: readonly string[] }[] }
}

/** Reads the container's JSON. */
export function toContainerDefinition({
  _rid: rid,
  partitionKey,
  defaultTtl,
  uniqueKeyPolicy
}: ContainerJson): ContainerDefinition {
  const { paths = [], kind, version } = partitionKey ?? {}
  return {
    rid: rid ?? '',
    partitionKey: {
      paths: [...paths],
      kind: kind === 'MultiHash' ? 'MultiHash' : 'Hash',
      // a definition without a version uses version 1
      version: version === 2 ? 2 : 1
    },
    defaultTtl: defaultTtl ?? undefined,
    uniqueKeys: (uniqueKeyPolicy?.uniqueKeys ?? []).map((key) => [...key.paths])
  }
}

/** The self link, by which offers name the container. */
export function selfLinkIn({ _self: selfLink }: ContainerJson): string | undefined {
  return selfLink
}

/** A physical partition, as the container lists it. */
export interface ContainerRange extends KeyRange {
  /** Ids of the ranges that were split or merged into this one. */
  readonly parents: readonly string[]
}

/** One page of the list of ranges, as JSON. */
export interface RangesJson {
  readonly PartitionKeyRanges: readonly PartitionKeyRange[]
}

/**
 * Sorts the listed ranges. Throws COSMOS_UNAVAILABLE when they leave a gap, which can happen for a moment during a
 * split.
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

function toRange({ id, minInclusive, maxExclusive, parents }: PartitionKeyRange): ContainerRange {
  return { id, min: minInclusive, max: maxExclusive, parents: parents ?? [] }
}

function incomplete(): CosmosError {
  return new CosmosError(
    'COSMOS_UNAVAILABLE',
    'The container’s list of ranges has a gap. It is read again when it is next needed.',
    {
      retriable: true
    }
  )
}

/** The property names of a container's key path: `/a/"b c"` is `['a', 'b c']`. */
export function membersOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map(([, quoted, bare]) => quoted ?? bare)
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

/** The value at a path of a document; undefined where there is none. */
export function valueAt(document: unknown, members: readonly string[]): unknown {
  let value: unknown = document
  for (const member of members) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
    value = (value as Record<string, unknown>)[member]
  }
  return value
}

/** Throws CONTAINER_MISMATCH when the plan writes another key than the container's partition key. */
export function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void {
  const { paths, version } = partitionKey
  const stamped = plan.partitionKey
  if (!isSame(stamped.paths.map(membersOfPointer), paths.map(membersOfPath))) {
    throw mismatch(
      `The plan writes its key into ${list(stamped.paths)}, and the container is split by ${list(paths)}.`,
      'Change `into` in the plan, or write into a container with that key: it cannot be changed in place.'
    )
  }
  // labels and lengths of keys depend on how they are hashed
  if (stamped.version !== version && partitionKey.kind !== 'MultiHash') {
    throw mismatch(
      `The plan is made for hash version ${stamped.version}, and the container hashes by version ${version}.`,
      `Write \`"hashVersion": ${version}\` into the plan.`
    )
  }
}

/** Warnings about a container that works, but perhaps not as expected. */
export function warningsAbout(
  { uniqueKeys, partitionKey }: ContainerDefinition,
  plan: Plan | undefined
): readonly string[] {
  const warnings = plan?.warnings.map(({ message }) => message) ?? []
  if (uniqueKeys.length > 0 && plan !== undefined) {
    const keys = uniqueKeys.map((paths) => paths.join(' with ')).join(', ')
    warnings.push(
      `The container has unique keys (${keys}). They hold within one value of ${list(partitionKey.paths)} only: a suffix makes each part of a key a space of its own.`
    )
  }
  return warnings
}

// plans quote unusual property names in another way than containers: `/a/b c` is `/a/"b c"` there
function isSame(stamped: readonly (readonly string[])[], keyed: readonly (readonly string[])[]): boolean {
  return JSON.stringify(stamped) === JSON.stringify(keyed)
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}

function mismatch(what: string, remedy: string): CosmosError {
  return new CosmosError('CONTAINER_MISMATCH', `${what} ${remedy}`)
}
