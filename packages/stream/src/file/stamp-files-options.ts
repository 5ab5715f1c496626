import type { Readable, Writable } from 'node:stream'
import type { ArrayOptions } from '../array/array-options.ts'
import type { Progress } from '../flow/progress.ts'
import type { KeyOptions } from '../key/key-source.ts'
import type { InputForm } from './recognize-input.ts'

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
