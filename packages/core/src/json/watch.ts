import { BACKSLASH } from './characters.ts'
import { decodeString } from './read-value.ts'
import type { CompiledPlan } from '../key/compile-plan.ts'
import type { Pointer } from '../text/pointer.ts'

/** Stands for a place that no one asked for. */
const UNWATCHED = -1

/** The record itself among the watched places. */
export const ROOT = 0

/** One place in a record that is of interest, or a place on the way to one. */
export interface Place {
  readonly name: string
  readonly parent: number
  readonly pointer: Pointer
  /** Numbers of the places inside this one. */
  readonly children: number[]
  /** True on the way to a member that is written, the id or the ttl: of such a member only the last occurrence may stay. */
  unique: boolean
}

/** The places a plan reads and writes, as a tree in one list: every place stands behind its parent. */
export interface Watch {
  readonly places: readonly Place[]
  /** Place of each of the plan's fields. */
  readonly fields: readonly number[]
  /** Place of each of the plan's managed members. */
  readonly managed: readonly number[]
}

/** What Cosmos DB reads of a document beside its key. */
const ALWAYS_UNIQUE: readonly Pointer[] = [['id'], ['ttl']]

/** Gathers every place that has to be found while a record is scanned. */
export function createWatch(plan: Pick<CompiledPlan, 'fields' | 'managed'>): Watch {
  const places: Place[] = [{ name: '', parent: UNWATCHED, pointer: [], children: [], unique: false }]
  const fields = plan.fields.map((pointer) => addPlace(places, pointer))
  const managed = plan.managed.map((member) => addPlace(places, member.pointer))
  const unique = ALWAYS_UNIQUE.map((pointer) => addPlace(places, pointer))
  for (const place of [...managed, ...unique]) markUnique(places, place)
  return { places, fields, managed }
}

/** The place called `name` inside `parent`. */
export function findChild(places: readonly Place[], parent: number, name: string): number {
  const children = places[parent].children
  return children.find((child) => places[child].name === name) ?? UNWATCHED
}

/** The place inside `parent` whose name stands, without its quotes, at `bytes[start, end)`. */
export function findChildAt(places: readonly Place[], parent: number, bytes: Uint8Array, start: number, end: number): number {
  for (let p = start; p < end; p++) {
    if (bytes[p] >= 0x80 || bytes[p] === BACKSLASH) return findChild(places, parent, decodeString(bytes, start, end))
  }
  const { children } = places[parent]
  for (let child = 0; child < children.length; child++) {
    if (isNameAt(places[children[child]].name, bytes, start, end)) return children[child]
  }
  return UNWATCHED
}

function isNameAt(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let each = 0; each < name.length; each++) if (name.charCodeAt(each) !== bytes[start + each]) return false
  return true
}

function addPlace(places: Place[], pointer: Pointer): number {
  let parent = ROOT
  pointer.forEach((name, depth) => {
    let child = findChild(places, parent, name)
    if (child === UNWATCHED) {
      child = places.push({ name, parent, pointer: pointer.slice(0, depth + 1), children: [], unique: false }) - 1
      places[parent].children.push(child)
    }
    parent = child
  })
  return parent
}

function markUnique(places: Place[], place: number): void {
  for (let each = place; each !== ROOT; each = places[each].parent) places[each].unique = true
}
