import type { KeyComponent } from '@keystamp/core'

/** Names one document of a container: the values of its partition key, and its id. */
export interface Identity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** The identity as text: equal for equal identities only. */
export function identityText({ key, id }: Identity): string {
  // JSON has no undefined, and null is another key than a missing property; -0 is another key than 0
  return JSON.stringify([id, ...key.map((value) => (value === undefined ? [] : Object.is(value, -0) ? [0] : value))])
}
