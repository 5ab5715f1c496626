import type { KeyComponent } from '@keystamp/core'

/** Names one document of a container: the values of its partition key, and its id. */
export interface Identity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** The identity as text: equal for equal identities only. */
export function identityText({ key, id }: Identity): string {
  return JSON.stringify([id, ...key.map(toJson)])
}

/** The inverse of `identityText`. */
export function parseIdentityText(text: string): Identity {
  const [id, ...key] = JSON.parse(text) as [string, ...JsonComponent[]]
  return { key: key.map(fromJson), id }
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return (
    one.id === other.id &&
    one.key.length === other.key.length &&
    one.key.every((value, level) => Object.is(value, other.key[level]))
  )
}

/** JSON has neither undefined nor -0, which are other keys than null and 0. */
type JsonComponent = NonNullable<KeyComponent> | null | readonly number[]

const ABSENT: JsonComponent = []
const NEGATIVE_ZERO: JsonComponent = [0]

function toJson(value: KeyComponent): JsonComponent {
  if (value === undefined) return ABSENT
  return Object.is(value, -0) ? NEGATIVE_ZERO : value
}

function fromJson(value: JsonComponent): KeyComponent {
  if (!isList(value)) return value
  return value.length === 0 ? undefined : -0
}

function isList(value: JsonComponent): value is readonly number[] {
  return Array.isArray(value)
}
