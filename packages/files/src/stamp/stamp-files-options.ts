import { KeystampError, type PlanDefinition } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import type { Progress } from '@keystamp/stream'
import {
  ARRAY_OPTIONS,
  type ArrayOptions,
  BYTES_OPTIONS,
  KEY_OPTIONS,
  type KeyOptions,
  REJECT_OPTIONS
} from '@keystamp/stream/internal'
import type { Readable, Writable } from 'node:stream'
import { formOfName, type InputForm } from '../inputs/recognize-input.ts'

export const DEFAULT_CHUNK_BYTES: number = 512 * 1024

const FILE_OPTIONS = [
  'inputs',
  'output',
  'changeData',
  'form',
  'delimiter',
  'signal',
  'onProgress',
  'progressEveryMs',
  'chunkBytes',
  'threads',
  'now'
]
const MIN_CHUNK_BYTES = 512
const MAX_CHUNK_BYTES = 64 * 1024 * 1024
const MAX_THREADS = 64

/** Checks the options for files. Options for keys, records and arrays are checked by the code that uses them. */
export function checkFileOptions(options: StampFilesOptions): void {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS, ...FILE_OPTIONS])
  const { inputs, form, changeData, chunkBytes = DEFAULT_CHUNK_BYTES, threads = 0 } = options
  if (typeof inputs === 'string')
    throw invalid('`inputs` must be an array: write `inputs: ["in.ndjson"]` even for a single file.')
  if (!Array.isArray(inputs) || inputs.length === 0) throw invalid('`inputs` must name at least one file or stream.')
  if (form !== undefined && form !== 'lines' && form !== 'array' && form !== 'csv') {
    throw invalid('`form` must be "lines", "array" or "csv".')
  }
  if (changeData !== undefined && changeData !== 'debezium') throw invalid('`changeData` must be "debezium".')
  if (!Number.isInteger(chunkBytes) || chunkBytes < MIN_CHUNK_BYTES || chunkBytes > MAX_CHUNK_BYTES) {
    throw invalid(`\`chunkBytes\` must be a whole number from ${MIN_CHUNK_BYTES} to ${MAX_CHUNK_BYTES}.`)
  }
  if (!Number.isInteger(threads) || threads < 0 || threads > MAX_THREADS)
    throw invalid(`\`threads\` must be a whole number from 0 to ${MAX_THREADS}.`)
}

/**
 * Returns the format of the inputs: the one in the options, or else by their names. Throws if the names differ in
 * format.
 */
export function formOf({ inputs, form, to, pick, delimiter, changeData }: StampFilesOptions): InputForm {
  const forms = new Set(inputs.map((input) => (typeof input === 'string' ? formOfName(input) : 'lines')))
  if (form === undefined && forms.size > 1)
    throw invalid('Some inputs are CSV by their names, and others are not. Stamp them one kind at a time.')
  const found = form ?? (forms.has('csv') ? 'csv' : 'lines')
  if (found !== 'array' && pick !== undefined) throw invalid('`pick` needs `form: "array"`.')
  if (found === 'lines' && to !== undefined) throw invalid('`to` needs `form: "array"` or `form: "csv"`.')
  if (found !== 'csv' && delimiter !== undefined)
    throw invalid('`delimiter` needs CSV: `form: "csv"`, or names that end in .csv.')
  if (found === 'csv' && changeData !== undefined) throw invalid('`changeData` needs JSON: CSV has no envelopes.')
  return found
}

/** Returns the plan for threads; undefined without threads. Throws if the work cannot be done in threads. */
export function planForThreads(
  source: unknown,
  form: InputForm,
  { threads = 0, random }: StampFilesOptions
): PlanDefinition | undefined {
  if (threads === 0) return undefined
  if (form !== 'lines') throw invalid('`threads` needs lines of JSON: only they can be divided.')
  if (random !== undefined) throw invalid('`random` is not possible with `threads`: each has numbers of its own.')
  if (typeof source === 'function' || (source as { readonly stampBytes?: unknown }).stampBytes !== undefined)
    throw invalid('`threads` needs the plan as JSON: a function cannot be given to a thread.')
  return source as PlanDefinition
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** Options of `stampFiles`; `pick` belongs to arrays, `to` to arrays and CSV. */
export interface StampFilesOptions extends Omit<ArrayOptions, 'onError'>, KeyOptions {
  /** Files, read one after the other and decompressed by their extension (.gz, .zst), or streams. */
  readonly inputs: readonly (string | Readable)[]
  /**
   * A file or a stream. A file is compressed if its extension says so, and gets its name only when it is complete. A
   * stream is not ended.
   */
  readonly output: string | Writable
  /**
   * As for `stampLines`, except `collect`: each rejected record is written as a line of JSON to the new file with this
   * name, or to this stream.
   */
  readonly onError?: ArrayOptions['onError'] | { readonly collect: string | Writable }
  /**
   * Format: `lines` of JSON, one `array` in each input, or `csv` with a header line. Values of CSV are strings, and an
   * empty value is a missing field. Default: `csv` if the names of all inputs end in .csv, .csv.gz or .csv.zst;
   * otherwise `lines`.
   */
  readonly form?: InputForm
  /**
   * `debezium`: the records are change data of Debezium. The rows inside of the envelopes are stamped, and the output is
   * change data again. Default: each record is stamped itself.
   */
  readonly changeData?: 'debezium'
  /** With CSV: the delimiter, one character or "tab". Default: a comma. */
  readonly delimiter?: string
  readonly signal?: AbortSignal
  /** Called with the progress at most once in `progressEveryMs`, and at the end. */
  readonly onProgress?: (progress: FileProgress) => void
  /** Minimum time between two calls of `onProgress`, in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Size of a read, in bytes. Default: 512 KiB. */
  readonly chunkBytes?: number
  /**
   * Threads that stamp lines, in addition to the one that reads and writes. The output is the same. They need a plan as
   * JSON, since a function cannot be given to a thread, and have only random numbers of their own. Default: 0.
   */
  readonly threads?: number
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/** Progress of `stampFiles`. */
export interface FileProgress extends Progress {
  /** Bytes read so far, before decompression. */
  readonly bytesRead: number
  /** Size of all inputs in bytes; undefined if an input is not a regular file. */
  readonly bytesTotal: number | undefined
}
