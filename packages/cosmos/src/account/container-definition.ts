import type { KeyDefinition } from '@keystamp/core'

/** What a container says of itself, as far as writing and reading depend on it. */
export interface ContainerDefinition {
  /** Changes when a container is deleted and created anew under the same name. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 where only items that say so expire; undefined where nothing does. */
  readonly defaultTtl: number | undefined
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** The part of a container's JSON that is read. */
export interface ContainerJson {
  readonly _rid?: string
  /** The link that names the container by its resource id: `dbs/<rid>/colls/<rid>/`. */
  readonly _self?: string
  readonly partitionKey?: { readonly paths: readonly string[]; readonly kind?: string; readonly version?: number }
  readonly defaultTtl?: number
  readonly uniqueKeyPolicy?: { readonly uniqueKeys?: readonly { readonly paths: readonly string[] }[] }
}

/** Reads the container's JSON. */
export function toContainerDefinition({ _rid: rid, partitionKey, defaultTtl, uniqueKeyPolicy }: ContainerJson): ContainerDefinition {
  const { paths = [], kind, version } = partitionKey ?? {}
  return {
    rid: rid ?? '',
    partitionKey: {
      paths: [...paths],
      kind: kind === 'MultiHash' ? 'MultiHash' : 'Hash',
      // a definition that names no version is hashed by the first one
      version: version === 2 ? 2 : 1
    },
    defaultTtl: defaultTtl ?? undefined,
    uniqueKeys: (uniqueKeyPolicy?.uniqueKeys ?? []).map((key) => [...key.paths])
  }
}

/** The link that offers name the container by. */
export function selfLinkIn({ _self: selfLink }: ContainerJson): string | undefined {
  return selfLink
}
