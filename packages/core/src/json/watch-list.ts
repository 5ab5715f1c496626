import { BACKSLASH } from './characters.ts'
import { decodeString } from './read-value.ts'
import type { CompiledPlan } from '../key/compile-plan.ts'
import type { Pointer } from '../text/pointer.ts'

/** Stands for a place that no one asked for. */
const UNWATCHED = -1

/** The record itself among the watched places. */
export const ROOT = 0

/** One place in a record that is of interest, or a place on the way to one. */
export interface WatchedPath {
  readonly name: string
  readonly parent: number
  readonly pointer: Pointer
  /** Numbers of the places inside this one. */
  readonly children: number[]
  /** True on the way to a member that is written, the id or the ttl: of such a member only the last occurrence may stay. */
  unique: boolean
}

/** The places a plan reads and writes, as a tree in one list: every place stands behind its parent. */
export interface WatchList {
  readonly paths: readonly WatchedPath[]
  /** Place of each of the plan's fields. */
  readonly fields: readonly number[]
  /** Place of each of the plan's managed members. */
  readonly managed: readonly number[]
}

/** What Cosmos DB reads of a document beside its key. */
const ALWAYS_UNIQUE: readonly Pointer[] = [['id'], ['ttl']]

/** Gathers every place that has to be found while a record is scanned. */
export function createWatchList(plan: Pick<CompiledPlan, 'fields' | 'managed'>): WatchList {
  const paths: WatchedPath[] = [{ name: '', parent: UNWATCHED, pointer: [], children: [], unique: false }]
  const fields = plan.fields.map((pointer) => addPath(paths, pointer))
  const managed = plan.managed.map((member) => addPath(paths, member.pointer))
  const unique = ALWAYS_UNIQUE.map((pointer) => addPath(paths, pointer))
  for (const path of [...managed, ...unique]) markUnique(paths, path)
  return { paths, fields, managed }
}

/** The place called `name` inside `parent`. */
export function findChild(paths: readonly WatchedPath[], parent: number, name: string): number {
  const children = paths[parent].children
  return children.find((child) => paths[child].name === name) ?? UNWATCHED
}

/** The place inside `parent` whose name stands, without its quotes, at `bytes[start, end)`. */
export function findChildAt(paths: readonly WatchedPath[], parent: number, bytes: Uint8Array, start: number, end: number): number {
  for (let p = start; p < end; p++) {
    if (bytes[p] >= 0x80 || bytes[p] === BACKSLASH) return findChild(paths, parent, decodeString(bytes, start, end))
  }
  const { children } = paths[parent]
  for (let child = 0; child < children.length; child++) {
    if (isNameAt(paths[children[child]].name, bytes, start, end)) return children[child]
  }
  return UNWATCHED
}

function isNameAt(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let each = 0; each < name.length; each++) if (name.charCodeAt(each) !== bytes[start + each]) return false
  return true
}

function addPath(paths: WatchedPath[], pointer: Pointer): number {
  let parent = ROOT
  pointer.forEach((name, depth) => {
    let child = findChild(paths, parent, name)
    if (child === UNWATCHED) {
      child = paths.push({ name, parent, pointer: pointer.slice(0, depth + 1), children: [], unique: false }) - 1
      paths[parent].children.push(child)
    }
    parent = child
  })
  return parent
}

function markUnique(paths: WatchedPath[], path: number): void {
  for (let each = path; each !== ROOT; each = paths[each].parent) paths[each].unique = true
}
