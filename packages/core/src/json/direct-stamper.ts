import type { DirectPart, DirectPlan, DirectText, DirectValue, JoiningPlan, ReadingPlan } from '../key/direct-plan.ts'
import type { Source } from '../key/kafka.ts'
import { copyDigits, copyText, isPlainText, marksOf, writePlain } from './copy-text.ts'
import { Ink, MOST_INK_BYTES } from './encoded-member.ts'
import { createName, isEmpty } from './splices.ts'
import { MemberTable } from './member-table.ts'
import { decodeAscii } from './read-value.ts'
import { ABSENT, type Scanner } from './scanner.ts'
import type { Splice, StampedBytes } from './stamped-bytes.ts'
import type { Watch } from './watch.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const QUOTE = 0x22
const UNFIT = -1

/** Stamps the scanned record at `bytes[start, end)`; undefined where it is not as plain as the direct plan demands. */
type DirectStamper = (
  bytes: Uint8Array,
  scanner: Scanner,
  source: Source | undefined,
  start: number,
  end: number
) => StampedBytes | undefined

/** Makes key and id of the record's own bytes: reading texts, joining them and writing them again costs several times as much. */
export function createDirectStamper(plan: DirectPlan, watch: Watch): DirectStamper {
  return plan.kind === 'reads' ? createDirectReader(plan, watch) : createDirectJoiner(plan, watch)
}

function createDirectJoiner({ key, id, writesId }: JoiningPlan, watch: Watch): DirectStamper {
  const { places, managed, fields } = watch
  const keyPlace = managed[0]
  const idPlace = writesId ? managed[1] : keyPlace
  const keyName = createName(places[keyPlace].name).behind
  const idName = createName('id').behind
  const keyInk = new Ink(places[keyPlace].name)
  const idInk = new Ink('id')
  const writeKey = createTextWriter(key, fields, keyInk)
  const writeId = id && createTextWriter(id, fields, idInk)
  return (bytes, scanner, source, start, end) => {
    const { valueStarts, repeated } = scanner
    const at = end - 1
    if (valueStarts[keyPlace] !== ABSENT || (writesId && valueStarts[idPlace] !== ABSENT) || repeated.length > 0) return undefined
    if ((writeId !== undefined && !writeId(scanner, source)) || !writeKey(scanner, source) || isEmpty(bytes, start + 1, at))
      return undefined
    const keyText = keyInk.text
    const idText = writeId === undefined ? undefined : idInk.text
    const keySplice = { at, end: at, before: keyName, value: keyText, ink: keyInk, turn: keyInk.turn }
    const splices = writesId ? [keySplice, { at, end: at, before: idName, value: idText, ink: idInk, turn: idInk.turn }] : [keySplice]
    return { ok: true, bytes, start, end, splices, values: [keyText], id: idText, version: 0, members: new MemberTable(bytes, start, end) }
  }
}

/** Writes a text into its ink; false where a part is not plain, or all is too long. */
type WriteText = (scanner: Scanner, source: Source | undefined) => boolean

function createTextWriter(text: DirectText, fields: readonly number[], ink: Ink): WriteText {
  const makers = text.parts.map((part) => (part.field === undefined ? part.make : undefined))
  return makers.includes(undefined) ? joinFields(text, fields, ink) : joinMade(text, makers as readonly Make[], ink)
}

type Make = Extract<DirectPart, { readonly field: undefined }>['make']

function joinMade({ separator, certain, mayBeEmpty }: DirectText, makers: readonly Make[], ink: Ink): WriteText {
  const most = Math.min(certain, MOST_INK_BYTES)
  return (_scanner, source) => {
    let joined = ''
    let at = ink.open()
    for (let index = 0; index < makers.length; index++) {
      const text = makers[index](source)
      if (typeof text !== 'string' || joined.length + text.length > most) return false
      if (index > 0) at = writePlain(separator, ink.bytes, at)
      at = writePlain(text, ink.bytes, at)
      if (at < 0) return false
      joined = index === 0 ? text : joined + separator + text
    }
    if (joined.length > most || (joined === '' && !mayBeEmpty)) return false
    ink.close(at, joined)
    return true
  }
}

function joinFields({ parts, separator, certain, mayBeEmpty }: DirectText, fields: readonly number[], ink: Ink): WriteText {
  const { textStart } = ink
  const limit = textStart + Math.min(certain, MOST_INK_BYTES)
  const writers = parts.map((part) =>
    part.field === undefined ? makeWriter(part.make, ink, limit) : fieldWriter(part, fields[part.field], ink, limit)
  )
  return (scanner, source) => {
    let at = ink.open()
    for (let index = 0; index < writers.length; index++) {
      if (index > 0) at = writePlain(separator, ink.bytes, at)
      at = writers[index](at, scanner, source)
      if (at < 0) return false
    }
    if (at > limit || (at === textStart && !mayBeEmpty)) return false
    ink.close(at)
    return true
  }
}

/** Writes a part at a position and gives the one behind it; a negative number where it is not plain, or too long. */
type WritePart = (at: number, scanner: Scanner, source: Source | undefined) => number

function makeWriter(make: (source: Source | undefined) => unknown, { bytes }: Ink, limit: number): WritePart {
  return (at, _scanner, source) => {
    const text = make(source)
    return typeof text === 'string' && at + text.length <= limit ? writePlain(text, bytes, at) : UNFIT
  }
}

function fieldWriter(
  { takesText, takesEmpty, takesDigits, marks }: FieldPart,
  place: number,
  { bytes, view }: Ink,
  limit: number
): WritePart {
  const [one, two, three] = marksOf(marks)
  // with its quotes; no record has a text of 1 GiB
  const shortest = takesText ? (takesEmpty ? 2 : 3) : 2 ** 30
  return (at, scanner) => {
    const first = scanner.valueStarts[place]
    if (first === ABSENT) return UNFIT
    const { whole } = scanner
    const behind = scanner.valueEnds[place]
    if (at + behind - first > limit) return UNFIT
    if (whole[first] !== QUOTE) return takesDigits ? copyDigits(whole, first, behind, bytes, at) : UNFIT
    return behind - first >= shortest ? copyText(scanner.view, first + 1, behind - 1, view, at, one, two, three) : UNFIT
  }
}

type FieldPart = Extract<DirectPart, { readonly marks: string }>

const NO_SPLICES: readonly Splice[] = Object.freeze([])

/** Reads key and id where they stand: most records carry both as plain texts, and then nothing is left to be decided. */
function createDirectReader({ levels, id }: ReadingPlan, { fields }: Watch): DirectStamper {
  const readLevels = levels.map((level) => createTextReader(level, fields))
  const readId = id && createTextReader(id, fields)
  // the common case: a list that is made by a call takes more time, and one that grows more memory
  const isFlat = readLevels.length === 1
  const [readFirst] = readLevels
  return (bytes, scanner, _source, start, end) => {
    // what may occur only once has to be cut
    if (scanner.repeated.length > 0) return undefined
    const idText = readId?.(scanner)
    if (readId !== undefined && idText === undefined) return undefined
    const values = isFlat ? [readFirst(scanner)] : readLevels.map((readLevel) => readLevel(scanner))
    if (!areTexts(values)) return undefined
    return { ok: true, bytes, start, end, splices: NO_SPLICES, values, id: idText, version: 0, members: new MemberTable(bytes, start, end) }
  }
}

function areTexts(values: readonly (string | undefined)[]): values is readonly string[] {
  for (let level = 0; level < values.length; level++) if (values[level] === undefined) return false
  return true
}

/** The text as it stands; undefined where it is not plain. */
type ReadText = (scanner: Scanner) => string | undefined

function createTextReader({ field, marks, certain, mayBeEmpty }: DirectValue, fields: readonly number[]): ReadText {
  const place = fields[field]
  const [one, two, three] = marksOf(marks)
  const least = mayBeEmpty ? 0 : 1
  return ({ valueStarts, valueEnds, whole, view }) => {
    const quote = valueStarts[place]
    if (quote === ABSENT || whole[quote] !== QUOTE) return undefined
    const first = quote + 1
    const behind = valueEnds[place] - 1
    const length = behind - first
    if (length < least || length > certain || !isPlainText(view, first, behind, one, two, three)) return undefined
    return decodeAscii(whole, first, behind)
  }
}
