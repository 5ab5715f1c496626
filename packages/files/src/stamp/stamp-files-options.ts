import { KeystampError } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import type { Progress } from '@keystamp/stream'
import { ARRAY_OPTIONS, type ArrayOptions, BYTES_OPTIONS, KEY_OPTIONS, type KeyOptions, REJECT_OPTIONS } from '@keystamp/stream/internal'
import type { Readable, Writable } from 'node:stream'
import { formOfName, type InputForm } from '../inputs/recognize-input.ts'

export const DEFAULT_CHUNK_BYTES: number = 512 * 1024

const FILE_OPTIONS = ['inputs', 'output', 'form', 'delimiter', 'signal', 'onProgress', 'progressEveryMs', 'chunkBytes', 'now']
const LEAST_CHUNK_BYTES = 512
const MOST_CHUNK_BYTES = 64 * 1024 * 1024

/** Checks what belongs to files; what belongs to keys, records and arrays is checked where it is used. */
export function checkFileOptions(options: StampFilesOptions): void {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS, ...FILE_OPTIONS])
  const { inputs, form, chunkBytes = DEFAULT_CHUNK_BYTES } = options
  if (typeof inputs === 'string') throw invalid('`inputs` must be an array: write `inputs: ["in.ndjson"]` also for a single file.')
  if (!Array.isArray(inputs) || inputs.length === 0) throw invalid('`inputs` must name at least one file or stream.')
  if (form !== undefined && form !== 'lines' && form !== 'array' && form !== 'csv') {
    throw invalid('`form` must be "lines", "array" or "csv".')
  }
  if (!Number.isInteger(chunkBytes) || chunkBytes < LEAST_CHUNK_BYTES || chunkBytes > MOST_CHUNK_BYTES) {
    throw invalid(`\`chunkBytes\` must be a whole number from ${LEAST_CHUNK_BYTES} to ${MOST_CHUNK_BYTES}.`)
  }
}

/** The form of the inputs: the one that the options name, or that of the names, which has to be the same for all. */
export function formOf({ inputs, form, to, pick, delimiter }: StampFilesOptions): InputForm {
  const forms = new Set(inputs.map((input) => (typeof input === 'string' ? formOfName(input) : 'lines')))
  if (form === undefined && forms.size > 1)
    throw invalid('Some inputs are CSV by their names, and others are not. Stamp them one kind at a time.')
  const found = form ?? (forms.has('csv') ? 'csv' : 'lines')
  if (found !== 'array' && pick !== undefined) throw invalid('`pick` goes with `form: "array"`.')
  if (found === 'lines' && to !== undefined) throw invalid('`to` goes with `form: "array"` or `form: "csv"`.')
  if (found !== 'csv' && delimiter !== undefined) throw invalid('`delimiter` goes with CSV: `form: "csv"`, or names that end in .csv.')
  return found
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** What `stampFiles` can be told; `pick` goes with arrays, `to` with arrays and CSV. */
export interface StampFilesOptions extends Omit<ArrayOptions, 'onError'>, KeyOptions {
  /** Files, read one behind the other and decompressed by their ending (.gz, .zst), or streams. */
  readonly inputs: readonly (string | Readable)[]
  /** A file, compressed by its ending and put in place only when it is whole, or a stream, which is not ended. */
  readonly output: string | Writable
  /** As with the streams; `collect` names a new file, or is a stream, to which each rejected record goes as a line of JSON. */
  readonly onError?: ArrayOptions['onError'] | { readonly collect: string | Writable }
  /**
   * `lines` of JSON, one `array` an input, or `csv` with a header line, whose values are all strings, and missing where they are empty.
   * Default: `csv` where the names of all inputs end in .csv, .csv.gz or .csv.zst; else `lines`.
   */
  readonly form?: InputForm
  /** With CSV: the character between two values, or "tab". Default: a comma. */
  readonly delimiter?: string
  readonly signal?: AbortSignal
  /** Told of the progress now and then, and at the end. */
  readonly onProgress?: (progress: FileProgress) => void
  /** Least time between two tellings in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Bytes read at once. Default: 512 KiB. */
  readonly chunkBytes?: number
  /** Milliseconds that only ever grow. Default: `performance.now`. */
  readonly now?: () => number
}

/** How far the files are stamped. */
export interface FileProgress extends Progress {
  /** Bytes read so far, before decompression. */
  readonly bytesRead: number
  /** Bytes of all inputs; undefined where one is a stream. */
  readonly bytesTotal: number | undefined
}
