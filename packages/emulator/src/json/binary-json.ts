import { ByteCursor, malformed, readNumber, readText, type Width } from './binary-values.ts'

/** Whether a body is binary JSON, which some clients send; JSON text never begins with that byte. */
export function isBinaryJson(body: Buffer): boolean {
  return body[0] === PREAMBLE
}

/** The value of a body in binary JSON. */
export function parseBinaryJson(body: Buffer): unknown {
  const cursor = new ByteCursor(body, 1)
  const value = readValue(cursor, 0)
  if (cursor.at !== body.length) throw malformed('something follows its value')
  return value
}

const PREAMBLE = 0x80
const MAX_DEPTH = 256
const WIDTHS: readonly Width[] = [1, 2, 4]

function readValue(cursor: ByteCursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw malformed('it is nested too deep')
  const marker = cursor.byte()
  if (marker < 0x20) return marker
  if (marker === 0xd0) return null
  if (marker === 0xd1 || marker === 0xd2) return marker === 0xd2
  if (marker >= 0xe0 && marker < 0xe8) return readSeries(cursor, marker - 0xe0, () => readValue(cursor, depth + 1))
  if (marker >= 0xe8 && marker < 0xf0) return Object.fromEntries(readSeries(cursor, marker - 0xe8, () => readMember(cursor, depth + 1)))
  if (marker === 0xf0 || marker === 0xf1) return readNumbers(cursor, marker === 0xf0 ? 1 : 2)
  if (marker === 0xf2 || marker === 0xf3) return readNumberTable(cursor, marker === 0xf2 ? 1 : 2)
  const value = readNumber(marker, cursor) ?? readText(marker, cursor)
  if (value === undefined) throw malformed(`it has the unknown marker 0x${marker.toString(16)}`)
  return value
}

function readMember(cursor: ByteCursor, depth: number): [string, unknown] {
  const name = readText(cursor.byte(), cursor)
  if (name === undefined) throw malformed('a member in it has no name')
  return [name, readValue(cursor, depth)]
}

// forms 0 and 1: no entry, one entry; 2 to 4: preceded by the length in bytes; 5 to 7: by length and number of entries
function readSeries<Entry>(cursor: ByteCursor, form: number, readEntry: () => Entry): Entry[] {
  if (form === 0) return []
  if (form === 1) return [readEntry()]
  const width = WIDTHS[(form - 2) % 3]
  const length = cursor.length(width)
  const count = form >= 5 ? cursor.length(width) : undefined
  const end = cursor.at + length
  const entries: Entry[] = []
  while (cursor.at < end) entries.push(readEntry())
  if (cursor.at !== end || (count !== undefined && count !== entries.length)) throw malformed('a length in it is wrong')
  return entries
}

function readNumbers(cursor: ByteCursor, width: Width): number[] {
  const marker = cursor.byte()
  return readBareNumbers(cursor, marker, cursor.length(width))
}

function readNumberTable(cursor: ByteCursor, width: Width): number[][] {
  // the marker of the inner arrays is redundant
  cursor.byte()
  const marker = cursor.byte()
  const columns = cursor.length(width)
  const rows = cursor.length(width)
  return Array.from({ length: rows }, () => readBareNumbers(cursor, marker, columns))
}

function readBareNumbers(cursor: ByteCursor, marker: number, count: number): number[] {
  return Array.from({ length: count }, () => {
    const value = readNumber(marker, cursor)
    if (value === undefined) throw malformed('an array of numbers in it holds something else')
    return value
  })
}
