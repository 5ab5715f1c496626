// API report of @keystamp/files, made by npm run docs. A change here is a change of the public API.

import type { ArrayOptions } from '@keystamp/stream/internal'
import type { Counts } from '@keystamp/stream'
import type { KeyOptions } from '@keystamp/stream/internal'
import type { KeySource } from '@keystamp/stream'
import type { Progress } from '@keystamp/stream'
import type { Readable } from 'node:stream'
import type { Rejection } from '@keystamp/core'
import type { Writable } from 'node:stream'

/** Progress of `stampFiles`. */
export interface FileProgress extends Progress {
  /** Bytes read so far, before decompression. */
  readonly bytesRead: number
  /** Size of all inputs in bytes; undefined if an input is not a regular file. */
  readonly bytesTotal: number | undefined
}

/** Format of the records in an input. */
export type InputForm = 'lines' | 'array' | 'csv'

/** Position in the inputs of a load. Every record before the position has its outcome. */
export interface InputPosition {
  /** Index of the input, starting at 0. */
  readonly input: number
  /** Number of lines of this input that have their outcome. */
  readonly line: number
  /** A line at or before the position at which reading can begin: its number, starting at 0, and its first byte. */
  readonly from: {
    readonly line: number
    readonly byte: number
    /** Only in CSV, where a record can take several lines: number of the text line, starting at 1. */
    readonly textLine?: number
  }
  /** Byte after the last line that has its outcome; undefined in checkpoints of older versions. */
  readonly byte?: number
}

/** A record of an array or of CSV, converted to a JSON object. */
export interface ReadRecord {
  readonly bytes: Buffer
  /** Rejection that does not depend on the values, such as for a record that is too long; undefined otherwise. */
  readonly rejection: Rejection | undefined
  /** Index of the record in the input, starting at 0. */
  readonly index: number
  /** Line number, starting at 1; undefined in arrays. */
  readonly line: number | undefined
  /** First byte in the input; 0 in arrays. */
  readonly byte: number
  /** Byte after the record; undefined in arrays. */
  readonly end: number | undefined
  /** Number of bytes that the record and its separator take in the input; estimated for arrays. */
  readonly size: number
}

export interface ReadRecordsOptions {
  readonly form: 'array' | 'csv'
  readonly delimiter?: string | undefined
  readonly pick?: string | undefined
  readonly maxRecordBytes: number
  /** Record at which reading begins; only for an uncompressed CSV file. */
  readonly from?:
    | {
        readonly index: number
        readonly line: number
        readonly byte: number
      }
    | undefined
  readonly signal: AbortSignal
}

/** State of an earlier run. */
export interface Resumption {
  readonly position: InputPosition
  /** Names of the inputs that have changed after `position`. */
  readonly changed: readonly string[]
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
  readonly onError?:
    | ArrayOptions['onError']
    | {
        readonly collect: string | Writable
      }
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

/**
 * Returns the names of the input files: expands each glob in sorted order, and lists each file once. Returns `-`, which
 * is standard input, if `files` is empty.
 */
export declare function findInputs(files: readonly string[]): Promise<readonly string[]>

/**
 * Returns the format according to a file's name: `csv` for .csv, also with an extension of a compression after it;
 * otherwise `lines`.
 */
export declare function formOfName(name: string): 'lines' | 'csv'

/** Converts a system error of an input to an error with a clear message. */
export declare function inputError(name: string, error: unknown): unknown

/** Converts a system error of the output to an error with a clear message. */
export declare function outputError(name: string, error: unknown): unknown

/**
 * Reads the records of an array or of CSV. Yields one batch for each chunk of the input. Throws INPUT_INVALID if the
 * records cannot be separated.
 */
export declare function readRecords(
  input: string | Readable,
  options: ReadRecordsOptions
): AsyncGenerator<readonly ReadRecord[]>

/**
 * Checks the first bytes of an input. Throws INPUT_INVALID if they clearly have another format than expected; the
 * message names the option to set. An input without a name is a stream.
 */
export declare function recognizeInput(name: string | undefined, head: Buffer, form: InputForm): void

/**
 * Stamps files of JSON, with large reads and writes that overlap the work. An output file has its final name only when
 * it is complete.
 */
export declare function stampFiles<R = any>(source: KeySource<R>, options: StampFilesOptions): Promise<Counts>

export {}
