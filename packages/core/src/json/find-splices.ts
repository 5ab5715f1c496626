import type { Decision } from '../plan/compiled.ts'
import { reject, type Rejection } from '../errors/rejection.ts'
import { COMMA, OPEN_BRACE, isWhitespace } from './characters.ts'
import { toJsonText, utf8Length } from './json-text.ts'
import { ABSENT, type Repeated, type Scanner } from './scanner.ts'
import type { Splice } from './stamped-bytes.ts'
import { type Place, type Watch, ROOT } from './watch.ts'

/** Turns what a plan decided about the scanned record into splices of its bytes. */
export type SpliceFinder = (bytes: Uint8Array, scanner: Scanner, decision: Decision) => readonly Splice[] | Rejection

export function createSpliceFinder(watch: Watch): SpliceFinder {
  const { places, managed } = watch
  const namePrefixes = places.map((place) => `${JSON.stringify(place.name)}:`)
  const parents = parentsOf(watch)
  const texts: (string | undefined)[] = places.map(() => undefined)

  return (bytes, scanner, decision) => {
    const { valueStarts, valueEnds } = scanner
    const splices: Splice[] = []
    texts.fill(undefined)
    managed.forEach((place, member) => {
      const value = decision.writes[member]
      if (value === undefined) return
      const text = toJsonText(value)
      if (valueStarts[place] === ABSENT) texts[place] = namePrefixes[place] + text
      else splices.push(createSplice(valueStarts[place], valueEnds[place], text))
    })
    for (const parent of parents) {
      const start = valueStarts[parent]
      if (start === ABSENT) continue
      const text = missingInside(parent, valueStarts)
      if (text === '') continue
      if (bytes[start] !== OPEN_BRACE) return rejectBlocked(places[parent])
      const end = valueEnds[parent] - 1
      splices.push(createSplice(end, end, isEmpty(bytes, start + 1, end) ? text : `,${text}`))
    }
    for (const repeated of outermost(scanner.repeated)) splices.push(createCut(bytes, repeated))
    return splices.length > 1 ? splices.toSorted((one, other) => one.at - other.at) : splices
  }

  /** The members that have to be added inside a place, as JSON text; those of a missing object are gathered in one. */
  function missingInside(parent: number, valueStarts: Int32Array): string {
    let text = ''
    for (const child of places[parent].children) {
      if (valueStarts[child] !== ABSENT) continue
      const member = texts[child] ?? wrap(child, missingInside(child, valueStarts))
      if (member !== '') text += text === '' ? member : `,${member}`
    }
    return text
  }

  function wrap(place: number, members: string): string {
    return members === '' ? '' : `${namePrefixes[place]}{${members}}`
  }
}

/** The places that hold managed members or lead to them, outer ones first. */
function parentsOf(watch: Watch): readonly number[] {
  const parents = new Set<number>()
  for (const place of watch.managed) {
    for (let each = place; each !== ROOT;) {
      each = watch.places[each].parent
      parents.add(each)
    }
  }
  return [...parents].toSorted((one, other) => one - other)
}

function createSplice(at: number, end: number, text: string): Splice {
  return { at, end, text, byteLength: utf8Length(text) }
}

function rejectBlocked(place: Place): Rejection {
  return reject('INTO_BLOCKED', toPath(place))
}

function toPath(place: Place): string {
  return place.pointer.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function isEmpty(bytes: Uint8Array, start: number, end: number): boolean {
  let p = start
  while (p < end && isWhitespace(bytes[p])) p++
  return p === end
}

/** In order, without those inside another. */
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

/** Since another member of the same name follows, there is a comma behind; it goes too. */
function createCut(bytes: Uint8Array, repeated: Repeated): Splice {
  let end = repeated.valueEnd
  while (bytes[end] !== COMMA) end++
  return createSplice(repeated.nameStart, end + 1, '')
}
