import type { KeyComponent, StampedBytes } from '@keystamp/core'
import { readProperty } from '@keystamp/core/internal'
import { membersOfPath } from '../client/container.ts'
import type { Body } from '../dispatch/batch-encoder.ts'
import { type Rejected, rejected } from '../dispatch/outcome.ts'
import type { ChangePosition, Named, Operation, PatchOperation, PatchStep } from './operation.ts'
import { withMember } from './with-member.ts'
import type { NewestSettings } from './newest-options.ts'
import { orderValue } from '../newest/order-value.ts'
import {
  DELETED,
  olderThan,
  POSITION,
  type Position,
  positionJson,
  propertyOf,
  type RecordPlace
} from '../newest/position.ts'

/** A change with its position: the document to store, or the marker of a deleted document. */
export interface NewestChange {
  readonly position: Position
  readonly body: Body
}

/** Adds the position to a change, or rejects it. `keyPaths` are those of the container. */
export function prepareNewest(
  { rule: { field, placeIn }, markerTtl }: NewestSettings,
  keyPaths: readonly string[],
  operation: Operation,
  named: Named
): NewestChange | Rejected {
  const mistake = mistakeOf(operation)
  if (mistake !== undefined) return invalid(mistake)
  const { kind, position: given } = operation as Operation & { kind: 'upsert' | 'delete' }
  const document = operation.record ?? operation.stamped ?? (named.body === undefined ? undefined : bytesOf(named.body))
  const value = orderValue(
    kind === 'delete' ? (given?.value ?? valueOf(field, document, given)) : valueOf(field, document, given)
  )
  const place = placeOf(given)
  if (place === 'invalid') return invalid(PLACE_FORM)
  if (value === undefined && (field !== undefined || place === undefined || given?.value !== undefined))
    return rejected('ORDER_MISSING') as Rejected
  const position = { value, place }
  if (kind === 'delete')
    return markerTtl === undefined
      ? invalid(NO_MARKERS)
      : { position, body: markerOf(keyPaths, named, position, { field, markerTtl }) }
  if (document !== undefined && readMember(document, DELETED) !== undefined) return invalid(IS_MARKER)
  // a value alone is in its field
  const hasPosition = placeIn !== undefined || (field !== undefined && place === undefined)
  if (hasPosition) return { position, body: named.body! }
  return { position, body: withPosition(named, document!, position) }
}

/** A patch with its position: the steps, among which one stores the position, and the condition on the stored one. */
export interface NewestPatch {
  readonly position: Position
  readonly steps: readonly PatchStep[]
  readonly condition: string | undefined
}

/** Adds the position to a patch, or rejects it. */
export function prepareNewestPatch(
  { rule: { field, placeIn } }: NewestSettings,
  operation: PatchOperation
): NewestPatch | Rejected {
  const { steps, condition, position: given } = operation
  const mistake = mistakeOf(operation)
  if (mistake !== undefined) return invalid(mistake)
  if (condition !== undefined) return invalid(NO_CONDITION)
  if (placeIn !== undefined) return invalid(NOT_IN_RECORD)
  if (steps.some((step) => step.path === `/${DELETED}`)) return invalid(IS_MARKER)
  const place = placeOf(given)
  if (place === 'invalid') return invalid(PLACE_FORM)
  if (place === undefined) return invalid(NO_PLACE)
  const path = field === undefined ? undefined : pointerOf(field)
  const own = path === undefined ? undefined : steps.findLast((step) => 'value' in step && step.path === path)
  const raw = own !== undefined && 'value' in own ? own.value : given?.value
  const value = orderValue(raw)
  if (value === undefined && (field !== undefined || raw !== undefined)) return rejected('ORDER_MISSING') as Rejected
  const position = { value, place }
  const stored: PatchStep[] = [
    { op: 'set', path: `/${POSITION}`, value: JSON.parse(positionJson(position)) as unknown }
  ]
  // also after a step that increments it
  if (path !== undefined && own?.op !== 'set') stored.unshift({ op: 'set', path, value: raw })
  return { position, steps: [...steps, ...stored], condition: olderThan(position, field) }
}

function pointerOf(field: readonly string[]): string {
  return field.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function mistakeOf({ kind, ifMatch, ignore }: Operation): string | undefined {
  if (kind === 'create' || kind === 'replace')
    return `A writer with \`newest\` accepts the operations upsert, delete and patch; this one is ${kind}.`
  if (ifMatch !== undefined || ignore !== undefined)
    return 'A writer with `newest` decides by positions, so `ifMatch` and `ignore` cannot be used.'
  return undefined
}

/** An object, or JSON bytes. */
type Document = object | Pick<StampedBytes, 'bytes' | 'start' | 'end'>

function bytesOf(body: Body): Document | undefined {
  if (typeof body === 'string') return undefined
  return body instanceof Uint8Array ? { bytes: body, start: 0, end: body.length } : body
}

function isBytes(document: Document): document is Pick<StampedBytes, 'bytes' | 'start' | 'end'> {
  return 'bytes' in document && document.bytes instanceof Uint8Array && 'start' in document && 'end' in document
}

function readMember(document: Document, name: string): unknown {
  return isBytes(document) ? readProperty(document, name) : propertyOf(document, name)
}

function valueOf(
  field: readonly string[] | undefined,
  document: Document | undefined,
  given: ChangePosition | undefined
): unknown {
  if (field === undefined || document === undefined) return given?.value
  const [name, ...inside] = field
  return inside.reduce(propertyOf, readMember(document, name)) ?? given?.value
}

function placeOf(given: ChangePosition | undefined): RecordPlace | undefined | 'invalid' {
  const { place } = given ?? {}
  if (place === undefined) return undefined
  const { topic, partition, offset, timestamp } = place
  const canonical = orderValue(offset)
  const isPlace = typeof topic === 'string' && Number.isInteger(partition) && canonical !== undefined
  return isPlace
    ? { topic, partition, offset: canonical, ...(timestamp === undefined ? {} : { timestamp }) }
    : 'invalid'
}

function withPosition(named: Named, document: Document, position: Position): Body {
  const json = positionJson(position)
  const body = named.body!
  if (typeof body !== 'string') return withMember(toStamped(body, named), POSITION, json)
  // a record that was read from the container contains the position of an earlier change
  if (propertyOf(document, POSITION) !== undefined)
    return JSON.stringify({ ...(JSON.parse(body) as object), [POSITION]: JSON.parse(json) as unknown })
  return `${body.slice(0, -1)},"${POSITION}":${json}}`
}

function toStamped(body: Uint8Array | StampedBytes, { id }: Named): StampedBytes {
  if (!(body instanceof Uint8Array)) return body
  return { ok: true, bytes: body, start: 0, end: body.length, splices: [], values: [], id, version: 0 }
}

/** The document that is stored in the place of a deleted one. */
function markerOf(
  keyPaths: readonly string[],
  { values, id }: Named,
  position: Position,
  { field, markerTtl }: { readonly field: readonly string[] | undefined; readonly markerTtl: number }
): string {
  const marker: Record<string, unknown> = { id }
  // other programs, and Cosmos DB between regions, compare this field
  if (field !== undefined) putAt(marker, field, position.value)
  for (const [level, path] of keyPaths.entries()) putAt(marker, membersOfPath(path), values[level])
  return JSON.stringify({
    ...marker,
    [DELETED]: true,
    [POSITION]: JSON.parse(positionJson(position)) as unknown,
    ttl: markerTtl
  })
}

function putAt(marker: Record<string, unknown>, names: readonly string[], value: KeyComponent): void {
  if (value === undefined) return
  let holder = marker
  for (const name of names.slice(0, -1)) holder = (holder[name] ??= {}) as Record<string, unknown>
  holder[names.at(-1)!] = value
}

const NO_CONDITION =
  'A writer with `newest` decides by positions, so a patch cannot have a `condition`: whether it is met would depend on the order of arrival.'
const NOT_IN_RECORD = 'With `newest.placeIn`, only whole documents can be stored, because a record contains its place.'
const NO_PLACE =
  'With `newest`, a patch needs a `position.place`, by which the writer recognizes its own patch after a lost answer.'
const PLACE_FORM = '`position.place` needs a `topic` (text), a `partition` (a whole number) and an `offset`.'
const NO_MARKERS =
  'A writer with `newest` deletes only with `newest.markerTtl`: without a marker, an older change would store the document again.'
const IS_MARKER = `The record has the property \`${DELETED}\`, which marks deleted documents. Remove it.`

function invalid(sentence: string): Rejected {
  return rejected('OPERATION_INVALID', {}, sentence) as Rejected
}
