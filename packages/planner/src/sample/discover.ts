import { escapePointerToken, writeUtf8 } from '@keystamp/core/internal'
import { personalDataOf, timeFormOf } from './field-forms.ts'
import { factsOfValue, FieldCounter, type FieldSummary, NO_VALUE } from './field-summary.ts'

/** Limits of `discoverFields`. */
export interface DiscoverOptions {
  /** JSON pointers of fields that are always returned, for example those that queries filter by, and the time field. */
  readonly keep?: readonly string[]
  /** Maximum rank of the returned paths; paths in `keep` are returned at any rank. Default: 30. */
  readonly most?: number
}

/**
 * Finds the scalar paths of parsed records, at most five levels deep, and not in arrays. Returns the most useful paths
 * first: present in most records, with many distinct values that are not too long.
 */
export function discoverFields(records: readonly unknown[], options: DiscoverOptions = {}): FieldSummary[] {
  const { keep = [], most = MAX_PATHS } = options
  const paths: FoundPath[] = []
  const root: FoundPath = { pointer: '', name: '', depth: 0, values: [], children: new Map(), isScalar: false }
  let objects = 0
  for (const record of records) {
    if (!isObject(record)) continue
    collect(record, root, paths)
    objects++
  }
  const found = paths.filter(({ isScalar, pointer }) => isScalar || keep.includes(pointer))
  const usefulness = new Map(found.map((path) => [path, usefulnessOf(path, objects)]))
  const sorted = found.toSorted((a, b) => usefulness.get(b)! - usefulness.get(a)! || (a.pointer < b.pointer ? -1 : 1))
  const chosen = sorted.filter(({ pointer }, rank) => rank < most || keep.includes(pointer))
  return chosen.map((path) => summarize(path, objects))
}

interface FoundPath {
  readonly pointer: string
  readonly name: string
  readonly depth: number
  /** Values at this path, one for each record that has it. May contain objects and arrays. */
  readonly values: unknown[]
  readonly children: Map<string, FoundPath>
  isScalar: boolean
}

const MAX_PATHS = 30
const MAX_DEPTH = 5

/** Maximum number of paths; further ones are ignored. Beyond it, the names are probably data, such as ids. */
const MAX_FOUND = 2000

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function collect(object: Readonly<Record<string, unknown>>, parent: FoundPath, paths: FoundPath[]): void {
  for (const name of Object.keys(object)) {
    const value = object[name]
    let path = parent.children.get(name)
    if (path === undefined) {
      if (paths.length >= MAX_FOUND) continue
      const pointer = `${parent.pointer}/${escapePointerToken(name)}`
      path = { pointer, name, depth: parent.depth + 1, values: [], children: new Map(), isScalar: false }
      parent.children.set(name, path)
      paths.push(path)
    }
    path.values.push(value)
    if (isObject(value)) {
      if (path.depth < MAX_DEPTH) collect(value, path, paths)
    } else if (!Array.isArray(value)) path.isScalar = true
  }
}

function usefulnessOf({ values, depth, name }: FoundPath, objects: number): number {
  const scalars = values.filter(isKeyValue)
  if (scalars.length === 0) return 0
  const distinct = new Set(scalars).size
  const isFraction = scalars.some((value) => typeof value === 'number' && !Number.isInteger(value))
  const bytes = scalars.reduce((sum: number, value) => sum + String(value).length, 0) / scalars.length
  const spread = distinct < 2 ? 0.1 : distinct < 3 ? 0.5 : 1
  const named = /(?:id|key|code|type|no|number)$/i.test(name) ? 1.2 : 1
  const shape = isFraction ? 0.2 : bytes > 200 ? 0.2 : bytes > 100 ? 0.6 : 1
  return (scalars.length / objects) * spread * named * shape * 0.9 ** (depth - 1)
}

function isKeyValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function summarize({ pointer, name, values }: FoundPath, objects: number): FieldSummary {
  const scalars = values.filter((value) => isKeyValue(value) && value !== '')
  const distinct = new Set(scalars).size
  const counter = new FieldCounter({
    path: pointer,
    distinct,
    discovered: scalars.length,
    time: timeFormOf(name, scalars),
    isId: scalars.length >= MIN_FOR_ID && distinct === scalars.length,
    personal: personalDataOf(name, scalars)
  })
  for (const value of values) {
    const end = encodeJson(value)
    counter.add(factsOfValue(buffer, 0, end))
  }
  for (let absent = values.length; absent < objects; absent++) counter.add(NO_VALUE)
  return counter.finish(null)
}

const MIN_FOR_ID = 20

let buffer = new Uint8Array(1024)

/** Writes the JSON of a value into the buffer. Returns the end. */
function encodeJson(value: unknown): number {
  // the content of an object or an array does not matter
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[]' : '{}') : JSON.stringify(value)
  if (text.length * 3 > buffer.length) buffer = new Uint8Array(text.length * 6)
  return writeUtf8(text, buffer, 0)
}
