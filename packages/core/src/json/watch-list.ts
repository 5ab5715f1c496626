import { BACKSLASH } from '../text/characters.ts'
import { decodeString } from './read-value.ts'
import type { CompiledPlan } from '../key/compile-plan.ts'
import type { Pointer } from '../text/pointer.ts'

/** Number of a path that is not watched. */
const UNWATCHED = -1

/** Number of the record itself among the watched paths. */
export const ROOT = 0

/** Path in a record that the scanner watches, or a parent of one. */
export interface WatchedPath {
  readonly name: string
  readonly parent: number
  readonly pointer: Pointer
  /** Numbers of the paths directly below this one. */
  readonly children: number[]
  /**
   * Whether only the last occurrence may be kept. True for properties that the plan writes, for the id and the ttl, and
   * for the parents of all these.
   */
  unique: boolean
}

/** Paths that a plan reads and writes, as a tree in one list: each path comes after its parent. */
export interface WatchList {
  readonly paths: readonly WatchedPath[]
  /** Path of each field of the plan. */
  readonly fields: readonly number[]
  /** Path of each managed property of the plan. */
  readonly managed: readonly number[]
}

/** Properties that Cosmos DB interprets, in addition to the key. */
const ALWAYS_UNIQUE: readonly Pointer[] = [['id'], ['ttl']]

/** Collects all paths that a plan reads or writes. */
export function createWatchList(plan: Pick<CompiledPlan, 'fields' | 'managed'>): WatchList {
  const paths: WatchedPath[] = [{ name: '', parent: UNWATCHED, pointer: [], children: [], unique: false }]
  const fields = plan.fields.map((pointer) => addPath(paths, pointer))
  const managed = plan.managed.map((member) => addPath(paths, member.pointer))
  const unique = ALWAYS_UNIQUE.map((pointer) => addPath(paths, pointer))
  for (const path of [...managed, ...unique]) markUnique(paths, path)
  return { paths, fields, managed }
}

/** Number of the path with this name below `parent`; UNWATCHED if there is none. */
export function findChild(paths: readonly WatchedPath[], parent: number, name: string): number {
  const children = paths[parent].children
  return children.find((child) => paths[child].name === name) ?? UNWATCHED
}

/** Number of the path below `parent` whose name is the body of the JSON string at `bytes[start, end)`. */
export function findChildAt(
  paths: readonly WatchedPath[],
  parent: number,
  bytes: Uint8Array,
  start: number,
  end: number
): number {
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
