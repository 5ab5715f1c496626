import type { KeyComponent } from '@keystamp/core'

/** Names one document of a container: the values of its partition key, and its id. */
export interface Identity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** The identity as text: equal for equal identities only. */
export function identityText({ key, id }: Identity): string {
  // JSON has no undefined, and a missing property is another key than null
  return JSON.stringify([id, ...key.map((value) => (value === undefined ? [] : value))])
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return (
    one.id === other.id &&
    one.key.length === other.key.length &&
    one.key.every((value, level) => value === other.key[level])
  )
}
