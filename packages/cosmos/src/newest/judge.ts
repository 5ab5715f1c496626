import { isDeepStrictEqual } from 'node:util'
import { comparePositions, type Position, type PositionSource, readPosition } from './position.ts'

/** Choice for a change if it is not known whether it is newer than the stored document. */
export type Ties = 'first' | 'last' | 'reject'

/** The rule by which changes of a document are ordered. */
export interface OrderRule extends PositionSource {
  readonly ties: Ties
}

/** `ours`: the change is stored. `kept`: the stored document stays. `replace`: the change has to replace it. */
export type Judgment = 'ours' | 'kept' | 'replace' | 'reject'

/** Decides between a change and a stored document. `body` returns the JSON of the change. */
export function judge(position: Position, body: () => string, stored: object, rule: OrderRule): Judgment {
  const current = readPosition(stored, rule)
  const order = comparePositions(position, current)
  // changes without a place are recognized by their content
  const hasPlace = position.place !== undefined || current.place !== undefined
  if (order === 'unknown' && !hasPlace && isSameContent(body(), stored)) return 'ours'
  if (order === 'same') return 'ours'
  if (order === 'unknown') return TIES[rule.ties]
  return order === 'newer' ? 'replace' : 'kept'
}

const TIES: Readonly<Record<Ties, Judgment>> = { first: 'kept', last: 'replace', reject: 'reject' }

/** Whether a stored document equals the sent one, except for the properties that Cosmos DB adds. */
export function isSameContent(sent: string, stored: unknown): boolean {
  if (typeof stored !== 'object' || stored === null) return false
  return isDeepStrictEqual(withoutSystemProperties(JSON.parse(sent) as object), withoutSystemProperties(stored))
}

function withoutSystemProperties(document: object): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM_PROPERTIES.has(name)))
}

const SYSTEM_PROPERTIES: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])
