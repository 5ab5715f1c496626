import type { DirectPart, DirectPlan, DirectString, DirectValue, JoiningPlan, ReadingPlan } from '../key/direct-plan.ts'
import type { Source } from '../key/field-value.ts'
import { QUOTE } from '../text/characters.ts'
import { EncodedMember, MAX_MEMBER_BYTES, type Splice, type StampedBytes } from './join.ts'
import { copyDigits, copyString, isPlainString, reservedWords, UNFIT, writePlain } from './plain-strings.ts'
import { decodeAscii } from './read-value.ts'
import { ABSENT, type Scanner } from './scanner.ts'
import { createName, isEmpty } from './splices.ts'
import type { WatchList } from './watch-list.ts'

/** Stamps the scanned record at `bytes[start, end)`; returns undefined if the record needs the general path. */
type DirectStamper = (
  bytes: Uint8Array,
  scanner: Scanner,
  source: Source | undefined,
  start: number,
  end: number
) => StampedBytes | undefined

/**
 * Creates a stamper that copies key and id from the bytes of the record. Decoding, joining and encoding strings would
 * cost several times as much.
 */
export function createDirectStamper(plan: DirectPlan, watch: WatchList): DirectStamper {
  return plan.kind === 'reads' ? createDirectReader(plan, watch) : createDirectJoiner(plan, watch)
}

function createDirectJoiner({ key, id, writesId }: JoiningPlan, watch: WatchList): DirectStamper {
  const { paths, managed, fields } = watch
  const keyPath = managed[0]
  const idPath = writesId ? managed[1] : keyPath
  const keyName = createName(paths[keyPath].name).withComma
  const idName = createName('id').withComma
  const keyMember = new EncodedMember(paths[keyPath].name)
  const idMember = new EncodedMember('id')
  const writeKey = createStringWriter(key, fields, keyMember)
  const writeId = id && createStringWriter(id, fields, idMember)
  return (bytes, scanner, source, start, end) => {
    const { valueStarts, repeated } = scanner
    const at = end - 1
    if (valueStarts[keyPath] !== ABSENT || (writesId && valueStarts[idPath] !== ABSENT) || repeated.length > 0)
      return undefined
    if (
      (writeId !== undefined && !writeId(scanner, source)) ||
      !writeKey(scanner, source) ||
      isEmpty(bytes, start + 1, at)
    )
      return undefined
    const keyText = keyMember.value
    const idText = writeId === undefined ? undefined : idMember.value
    const keySplice = {
      at,
      end: at,
      before: keyName,
      value: keyText,
      encoded: keyMember,
      generation: keyMember.generation
    }
    const splices = writesId
      ? [keySplice, { at, end: at, before: idName, value: idText, encoded: idMember, generation: idMember.generation }]
      : [keySplice]
    return {
      ok: true,
      bytes,
      start,
      end,
      splices,
      values: [keyText],
      id: idText,
      version: 0
    }
  }
}

/** Writes a string into an encoded member; returns false if a part is not plain, or if the string is too long. */
type WriteString = (scanner: Scanner, source: Source | undefined) => boolean

function createStringWriter(
  { parts, separator, safeLength, mayBeEmpty }: DirectString,
  fields: readonly number[],
  member: EncodedMember
): WriteString {
  const { valueStart } = member
  const limit = valueStart + Math.min(safeLength, MAX_MEMBER_BYTES)
  const writers = parts.map((part) =>
    part.field === undefined
      ? makeWriter(part.make, member, limit)
      : fieldWriter(part, fields[part.field], member, limit)
  )
  return (scanner, source) => {
    let at = member.open()
    for (let index = 0; index < writers.length; index++) {
      if (index > 0) at = writePlain(separator, member.bytes, at)
      at = writers[index](at, scanner, source)
      if (at < 0) return false
    }
    if (at > limit || (at === valueStart && !mayBeEmpty)) return false
    member.close(at)
    return true
  }
}

/**
 * Writes a part at a position. Returns the position after it, or a negative number if the part is not plain or is too
 * long.
 */
type WritePart = (at: number, scanner: Scanner, source: Source | undefined) => number

function makeWriter(make: (source: Source | undefined) => unknown, { bytes }: EncodedMember, limit: number): WritePart {
  return (at, _scanner, source) => {
    const text = make(source)
    return typeof text === 'string' && at + text.length <= limit ? writePlain(text, bytes, at) : UNFIT
  }
}

function fieldWriter(
  { takesStrings, takesEmpty, takesDigits, reserved }: FieldPart,
  path: number,
  { bytes, view }: EncodedMember,
  limit: number
): WritePart {
  const [one, two, three] = reservedWords(reserved)
  // includes the quotes; no record has a string of 1 GiB
  const shortest = takesStrings ? (takesEmpty ? 2 : 3) : 2 ** 30
  return (at, scanner) => {
    const first = scanner.valueStarts[path]
    if (first === ABSENT) return UNFIT
    const { whole } = scanner
    const valueEnd = scanner.valueEnds[path]
    if (at + valueEnd - first > limit) return UNFIT
    if (whole[first] !== QUOTE) return takesDigits ? copyDigits(whole, first, valueEnd, bytes, at) : UNFIT
    return valueEnd - first >= shortest
      ? copyString(scanner.view, first + 1, valueEnd - 1, view, at, one, two, three)
      : UNFIT
  }
}

type FieldPart = Extract<DirectPart, { readonly reserved: string }>

const NO_SPLICES: readonly Splice[] = Object.freeze([])

/**
 * Creates a stamper that reads key and id from the record. Most records contain both as plain strings, and then the
 * plan has nothing to decide.
 */
function createDirectReader({ levels, id }: ReadingPlan, { fields }: WatchList): DirectStamper {
  const readLevels = levels.map((level) => createStringReader(level, fields))
  const readId = id && createStringReader(id, fields)
  return (bytes, scanner, _source, start, end) => {
    // a property that occurs twice has to be removed once
    if (scanner.repeated.length > 0) return undefined
    const idText = readId?.(scanner)
    if (readId !== undefined && idText === undefined) return undefined
    const values = readLevels.map((readLevel) => readLevel(scanner))
    if (!areStrings(values)) return undefined
    return {
      ok: true,
      bytes,
      start,
      end,
      splices: NO_SPLICES,
      values,
      id: idText,
      version: 0
    }
  }
}

function areStrings(values: readonly (string | undefined)[]): values is readonly string[] {
  for (let level = 0; level < values.length; level++) if (values[level] === undefined) return false
  return true
}

/** Reads a string without decoding escapes; returns undefined if it is not plain. */
type ReadString = (scanner: Scanner) => string | undefined

function createStringReader(
  { field, reserved, safeLength, mayBeEmpty }: DirectValue,
  fields: readonly number[]
): ReadString {
  const path = fields[field]
  const [one, two, three] = reservedWords(reserved)
  const minLength = mayBeEmpty ? 0 : 1
  return ({ valueStarts, valueEnds, whole, view }) => {
    const quote = valueStarts[path]
    if (quote === ABSENT || whole[quote] !== QUOTE) return undefined
    const first = quote + 1
    const valueEnd = valueEnds[path] - 1
    const length = valueEnd - first
    if (length < minLength || length > safeLength || !isPlainString(view, first, valueEnd, one, two, three))
      return undefined
    return decodeAscii(whole, first, valueEnd)
  }
}
