import { KeystampError } from '@keystamp/core'
import { nameOf } from '../csv/csv-header.ts'

/** Format of the records in an input. */
export type InputForm = 'lines' | 'array' | 'csv'

/**
 * Returns the format according to a file's name: `csv` for .csv, also with an extension of a compression after it;
 * otherwise `lines`.
 */
export function formOfName(name: string): 'lines' | 'csv' {
  return /\.csv(?:\.(?:gz|gzip|zst|zstd))?$/i.test(name) ? 'csv' : 'lines'
}

/**
 * Checks the first bytes of an input. Throws INPUT_INVALID if they clearly have another format than expected; the
 * message names the option to set. An input without a name is a stream.
 */
export function recognizeInput(name: string | undefined, head: Buffer, form: InputForm): void {
  const found = findEncoding(name, head) ?? findOtherForm(head, form)
  if (found !== undefined) throw new KeystampError('INPUT_INVALID', `${name ?? 'The input'} ${found}`)
}

function findEncoding(name: string | undefined, head: Buffer): string | undefined {
  for (const [bytes, what, ending, program] of PACKED) {
    if (!startsWith(head, bytes)) continue
    const rename = name === undefined ? '' : ` let the name end in ${ending}, or`
    return `is compressed with ${what}:${rename} decompress it in a pipe with ${program}.`
  }
  const other = BINARY.find(([bytes]) => startsWith(head, bytes) && head.subarray(0, 64).some((byte) => byte < 0x09))
  if (other !== undefined) return `is ${other[1]}, not text. Export it as lines of JSON or as CSV first.`
  const utf16 = utf16Of(head)
  return (
    utf16 && `is text in ${utf16}. JSON and CSV must be UTF-8: convert it in a pipe with iconv -f ${utf16} -t UTF-8.`
  )
}

const PACKED: readonly (readonly [bytes: readonly number[], what: string, ending: string, program: string])[] = [
  [[0x1f, 0x8b], 'gzip', '.gz', 'gzip -dc'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', '.zst', 'zstd -dc']
]

const BINARY: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel file'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
  [[0x4f, 0x62, 0x6a, 0x01], 'an Avro file']
]

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, at) => head[at] === byte)
}

function utf16Of(head: Buffer): string | undefined {
  if (startsWith(head, [0xff, 0xfe]) || isCharacterWithZero(head[0], head[1])) return 'UTF-16LE'
  return startsWith(head, [0xfe, 0xff]) || isCharacterWithZero(head[1], head[0]) ? 'UTF-16BE' : undefined
}

// true if one byte is a character and the other is zero: in UTF-8, no zero byte is next to the first character
function isCharacterWithZero(character: number | undefined, zero: number | undefined): boolean {
  return zero === 0 && character !== undefined && character >= 0x20
}

function findOtherForm(head: Buffer, form: InputForm): string | undefined {
  if (form === 'array') return undefined
  const [first, second] = firstLines(head)
  if (first === undefined) return undefined
  if (form === 'csv') return /^[{[]/.test(first.text) ? 'is JSON, not CSV: leave out `form: "csv"`.' : undefined
  if (first.text.startsWith('[')) return isLineOfJson(first, second) ? undefined : ARRAY
  if (first.text.startsWith('{')) return isOpen(first, second) ? DOCUMENT : undefined
  return csvOf(first, second)
}

const ARRAY = 'is a JSON array, not lines of JSON: read it with `form: "array"`.'
const DOCUMENT =
  'is a JSON document over several lines. Write each record on one line, for example with jq -c; read an array inside the document with `pick: "a.b"`.'

interface FirstLine {
  readonly text: string
  /** True if the bytes include the end of the line. */
  readonly isWhole: boolean
}

/** Returns the first two lines that are not blank. */
function firstLines(head: Buffer): readonly [FirstLine?, FirstLine?] {
  const text = head.toString('utf8', 0, MAX_BYTES).replace(/^\uFEFF/, '')
  const lines = text.split('\n').map((line, index, all) => ({ text: line.trim(), isWhole: index < all.length - 1 }))
  const [first, second] = lines.filter(({ text: line }) => line !== '')
  return [first, second]
}

// only these bytes are checked
const MAX_BYTES = 64 * 1024

/** True if the first line is a complete array and another line follows. */
function isLineOfJson(first: FirstLine, second: FirstLine | undefined): boolean {
  return second !== undefined && isJson(first.text)
}

/** True if an object begins on the first line and continues on the second. */
function isOpen(first: FirstLine, second: FirstLine | undefined): boolean {
  if (second === undefined || !/[{[,]$/.test(first.text) || isJson(first.text)) return false
  return /^["\]}]/.test(second.text) || (first.text.endsWith('[') && !isJson(second.text))
}

function csvOf(first: FirstLine, second: FirstLine | undefined): string | undefined {
  // an incomplete line proves nothing
  if (!first.isWhole) return undefined
  const delimiter = DELIMITERS.find(
    (one) => first.text.includes(one) && (second === undefined || !second.isWhole || second.text.includes(one))
  )
  if (delimiter === undefined || isJson(first.text) || second?.text.startsWith('{') === true) return undefined
  const by = delimiter === ',' ? '' : ` and \`delimiter: "${nameOf(delimiter)}"\``
  return `looks like CSV, not lines of JSON: read it with \`form: "csv"\`${by}.`
}

const DELIMITERS: readonly string[] = [',', ';', '\t', '|']

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
