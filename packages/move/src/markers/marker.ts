import { type Pointer, parsePointer } from '@keystamp/core/internal'
import { type KeyComponent, KeystampError, type KeyValue } from '@keystamp/core'
import { type ContainerDefinition, DELETED, pointerOfPath } from '@keystamp/cosmos'
import type { MoveContainer } from '../containers/move-container.ts'
import type { MappedDocument } from '../documents/document-mapper.ts'
import { MARK } from '../documents/copy-layout.ts'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'

/**
 * Time for which Cosmos DB may apply a request after it was sent: it refuses a request whose date is more than 15
 * minutes old, and the clock of the sender may be 15 minutes ahead.
 */
export const MAX_REQUEST_AGE_MS: number = 30 * 60_000

/** Seconds after which a marker expires, in a container whose documents can expire. */
const MARKER_TTL = (2 * MAX_REQUEST_AGE_MS) / 1000

/** The member `_keystamp` of a marker. Copies have JSON pointers in it, so they never have this content. */
const MARKER = { marker: true }

/**
 * Creates the marker that takes the place of a copy which a move has deleted: a create that arrives late finds the place
 * taken. `paths`: key paths of the container.
 */
export function createMarker(identity: Identity, { paths }: ContainerDefinition['partitionKey']): MappedDocument {
  const { key, id } = identity
  const document: Members = { id }
  for (const [level, path] of paths.entries()) setAt(document, parsePointer(pointerOfPath(path)) ?? [], key[level])
  const bytes = Buffer.from(jsonOf({ ...document, [DELETED]: true, [MARK]: MARKER, ttl: MARKER_TTL }))
  const values = key as readonly KeyValue[]
  return {
    kind: 'mapped',
    identity,
    stamped: { ok: true, bytes, start: 0, end: bytes.length, splices: [], values, id, version: 0 }
  }
}

/** Whether a document is the marker of a move. */
export function isMarker(document: StoredDocument): boolean {
  const members = membersOfMarker(document)
  return (members?.[MARK] as Partial<typeof MARKER> | null | undefined)?.marker === true
}

/** Whether a document is the marker of a deleted document: that of a move, or of a writer with `newest`. */
export function isAnyMarker(document: Pick<StoredDocument, 'bytes' | 'start' | 'end'>): boolean {
  return membersOfMarker(document) !== undefined
}

function membersOfMarker({
  bytes,
  start,
  end
}: Pick<StoredDocument, 'bytes' | 'start' | 'end'>): Readonly<Record<string, unknown>> | undefined {
  if (!mayHaveMarker(bytes, start, end)) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
  const members = JSON.parse(text) as Readonly<Record<string, unknown>>
  return members[DELETED] === true ? members : undefined
}

/** Whether bytes with many documents may contain a marker: one search, because nearly all pages have none. */
export function mayHaveMarker(bytes: Uint8Array, start: number, end: number): boolean {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
  return part.includes(NAME)
}

const NAME = Buffer.from(`"${DELETED}"`)

/** Throws if a container cannot have markers. */
export function checkFence(...containers: readonly Pick<MoveContainer, 'name' | 'definition'>[]): void {
  const unique = containers.find(({ definition }) => definition.uniqueKeys.length > 0)
  if (unique === undefined) return
  throw new KeystampError(
    'CONTAINER_MISMATCH',
    `${unique.name} has unique keys, so the markers of deleted documents could refuse each other, and \`--fence\` is not possible: leave it out.`
  )
}

interface Members {
  [name: string]: Members | KeyComponent
}

function setAt(document: Members, pointer: Pointer, value: KeyComponent): void {
  if (value === undefined) return
  let parent = document
  for (const name of pointer.slice(0, -1)) parent = (parent[name] ??= {}) as Members
  parent[pointer[pointer.length - 1]] = value
}

/** JSON.stringify writes -0 as 0, which is another key. */
function jsonOf(value: Members | KeyComponent): string {
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`)
    .join(',')}}`
}
