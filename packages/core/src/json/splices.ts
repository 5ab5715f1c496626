import { reject, type Rejection } from '../errors/rejection.ts'
import { formatPointer } from '../text/pointer.ts'
import type { KeyValue } from '../key/field-value.ts'
import type { Decision } from '../key/version.ts'
import { COMMA, OPEN_BRACE } from '../text/characters.ts'
import { isWhitespace } from './read-value.ts'
import { ABSENT, type Repeated, type Scanner } from './scanner.ts'
import type { EncodedSplice } from './join.ts'
import { ROOT, type WatchList } from './watch-list.ts'

/** Converts the decision of a plan about the scanned record into splices of its bytes. */
type SpliceFinder = (bytes: Uint8Array, scanner: Scanner, decision: Decision) => readonly EncodedSplice[] | Rejection

export function createSpliceFinder(watch: WatchList): SpliceFinder {
  const { paths, managed } = watch
  const names = paths.map((path) => createName(path.name))
  const parents = parentsOf(watch)
  const isFlat = parents.every((parent) => parent === ROOT)
  const texts: (string | undefined)[] = paths.map(() => undefined)

  return (bytes, scanner, decision) => {
    const { valueStarts, valueEnds, repeated } = scanner
    const splices: EncodedSplice[] = []
    let isMissing = false
    for (let member = 0; member < managed.length; member++) {
      const value = decision.writes[member]
      const path = managed[member]
      if (value === undefined) continue
      if (valueStarts[path] !== ABSENT)
        splices.push({
          at: valueStarts[path],
          end: valueEnds[path],
          before: '',
          value,
          encoded: undefined,
          generation: 0
        })
      else if (isFlat)
        splices.push(createInsertion(bytes, valueStarts[ROOT], valueEnds[ROOT] - 1, names[path], value, isMissing))
      else texts[path] = names[path].bare + JSON.stringify(value)
      isMissing ||= valueStarts[path] === ABSENT
    }
    if (isMissing && !isFlat) {
      const blocked = addInside(bytes, scanner, splices)
      texts.fill(undefined)
      if (blocked !== undefined) return blocked
    }
    if (repeated.length > 0) for (const each of outermost(repeated)) splices.push(createCut(bytes, each))
    return inOrder(splices)
  }

  /**
   * Inserts missing properties at the end of the innermost existing parent. Returns a rejection if this parent is not
   * an object.
   */
  function addInside(bytes: Uint8Array, scanner: Scanner, splices: EncodedSplice[]): Rejection | undefined {
    const { valueStarts, valueEnds } = scanner
    for (const parent of parents) {
      const start = valueStarts[parent]
      const text = start === ABSENT ? '' : missingInside(parent, valueStarts)
      if (text === '') continue
      if (bytes[start] !== OPEN_BRACE) return reject('INTO_BLOCKED', formatPointer(paths[parent].pointer))
      const end = valueEnds[parent] - 1
      const before = isEmpty(bytes, start + 1, end) ? '' : ','
      splices.push({ at: end, end, before: before + text, value: undefined, encoded: undefined, generation: 0 })
    }
    return undefined
  }

  /**
   * JSON of the properties that have to be inserted below a path. A missing object is inserted together with its
   * properties.
   */
  function missingInside(parent: number, valueStarts: Int32Array): string {
    let text = ''
    for (const child of paths[parent].children) {
      if (valueStarts[child] !== ABSENT) continue
      const member = texts[child] ?? wrap(child, missingInside(child, valueStarts))
      if (member !== '') text += text === '' ? member : `,${member}`
    }
    return text
  }

  function wrap(path: number, members: string): string {
    return members === '' ? '' : `${names[path].bare}{${members}}`
  }
}

/** Name of a property with its colon: without and with a comma before it. */
interface WrittenName {
  readonly bare: string
  readonly withComma: string
}

export function createName(name: string): WrittenName {
  const bare = `${JSON.stringify(name)}:`
  return { bare, withComma: `,${bare}` }
}

/**
 * Creates a splice that inserts a property at the end of the object that begins at `start` and closes at `at`.
 * `isSecond`: another property is inserted there before this one.
 */
function createInsertion(
  bytes: Uint8Array,
  start: number,
  at: number,
  name: WrittenName,
  value: KeyValue,
  isSecond: boolean
): EncodedSplice {
  return {
    at,
    end: at,
    before: isSecond || !isEmpty(bytes, start + 1, at) ? name.withComma : name.bare,
    value,
    encoded: undefined,
    generation: 0
  }
}

/** Whether `bytes[start, end)` has only whitespace. */
export function isEmpty(bytes: Uint8Array, start: number, end: number): boolean {
  let p = start
  while (p < end && isWhitespace(bytes[p])) p++
  return p === end
}

// There are nearly always one or two splices, and sorting costs more than comparing them.
function inOrder(splices: readonly EncodedSplice[]): readonly EncodedSplice[] {
  for (let each = 1; each < splices.length; each++) {
    if (splices[each].at < splices[each - 1].at)
      return splices.length === 2 ? [splices[1], splices[0]] : splices.toSorted((one, other) => one.at - other.at)
  }
  return splices
}

/** Paths of all parents of managed properties, outer ones first. */
function parentsOf(watch: WatchList): readonly number[] {
  const parents = new Set<number>()
  for (const path of watch.managed) {
    for (let each = path; each !== ROOT;) {
      each = watch.paths[each].parent
      parents.add(each)
    }
  }
  return [...parents].toSorted((one, other) => one - other)
}

/** Sorts repeated properties and removes those inside another one. */
function outermost(repeated: readonly Repeated[]): readonly Repeated[] {
  if (repeated.length < 2) return repeated
  let end = -1
  return repeated
    .toSorted((one, other) => one.nameStart - other.nameStart)
    .filter((each) => {
      if (each.nameStart < end) return false
      end = each.valueEnd
      return true
    })
}

/**
 * Creates a splice that removes an earlier occurrence and the comma after it. There always is a comma, because another
 * property of the same name follows.
 */
function createCut(bytes: Uint8Array, repeated: Repeated): EncodedSplice {
  let end = repeated.valueEnd
  while (bytes[end] !== COMMA) end++
  return { at: repeated.nameStart, end: end + 1, before: '', value: undefined, encoded: undefined, generation: 0 }
}
