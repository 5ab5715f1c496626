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
  /** Size of all inputs in bytes; undefined where one is a stream. */
  readonly bytesTotal: number | undefined
}

/** Format of the records in an input. */
export type InputForm = 'lines' | 'array' | 'csv'

/** Position in the inputs of a load, before which every record has its outcome. */
export interface InputPosition {
  /** Index of the input, from 0 on. */
  readonly input: number
  /** Number of lines of this input that have their outcome. */
  readonly line: number
  /** A line at or before the position, by its number from 0 on, and its first byte: reading can begin there. */
  readonly from: {
    readonly line: number
    readonly byte: number
    /** Line of the text, from 1 on, in CSV, where a record can take several lines. */
    readonly textLine?: number
  }
  /** The byte after the last line that has its outcome; missing in checkpoints of older versions. */
  readonly byte?: number
}

/** A record of an array or of CSV as the bytes of a JSON object. */
export interface ReadRecord {
  readonly bytes: Buffer
  /** Reason to reject it, without regard to its values. */
  readonly rejection: Rejection | undefined
  /** Index among the records of the input, from 0 on. */
  readonly index: number
  /** Line number, from 1 on; only in CSV. */
  readonly line: number | undefined
  /** First byte in the input; only in CSV. */
  readonly byte: number
  /** Byte after the record; only in CSV. */
  readonly end: number | undefined
  /** Estimated number of bytes in the input. */
  readonly size: number
}

export interface ReadRecordsOptions {
  readonly form: 'array' | 'csv'
  readonly delimiter?: string | undefined
  readonly pick?: string | undefined
  readonly maxRecordBytes: number
  /** Record of an uncompressed CSV file where reading begins. */
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
  /** Names of the inputs that have changed after its position. */
  readonly changed: readonly string[]
}

/** Options of `stampFiles`; `pick` belongs to arrays, `to` to arrays and CSV. */
export interface StampFilesOptions extends Omit<ArrayOptions, 'onError'>, KeyOptions {
  /** Files, read one after the other and decompressed by their extension (.gz, .zst), or streams. */
  readonly inputs: readonly (string | Readable)[]
  /** A file, compressed by its extension and created only when it is complete, or a stream, which is not ended. */
  readonly output: string | Writable
  /**
   * As with the streams; `collect` is the name of a new file, or a stream, that each rejected record is written to as a
   * line of JSON.
   */
  readonly onError?:
    | ArrayOptions['onError']
    | {
        readonly collect: string | Writable
      }
  /**
   * Format: `lines` of JSON, one `array` in each input, or `csv` with a header line, whose values are strings, and
   * missing where they are empty. Default: `csv` where the names of all inputs end in .csv, .csv.gz or .csv.zst;
   * otherwise `lines`.
   */
  readonly form?: InputForm
  /** With CSV: the delimiter, one character or "tab". Default: a comma. */
  readonly delimiter?: string
  readonly signal?: AbortSignal
  /** Called with the progress at intervals, and at the end. */
  readonly onProgress?: (progress: FileProgress) => void
  /** Minimum time between two calls of `onProgress`, in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Size of a read, in bytes. Default: 512 KiB. */
  readonly chunkBytes?: number
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * Names of the input files: expands globs in sorted order, and lists each file once. Returns `-` for standard input
 * where none is named.
 */
export declare function findInputs(files: readonly string[]): Promise<readonly string[]>

/** Format according to a file's name: CSV by its extension, before that of the compression; otherwise lines of JSON. */
export declare function formOfName(name: string): 'lines' | 'csv'

/** Converts a system error about an input to a sentence. */
export declare function inputError(name: string, error: unknown): unknown

/** Converts a system error about the output to a sentence. */
export declare function outputError(name: string, error: unknown): unknown

/**
 * Reads the records of an array or of CSV, one batch for each chunk of the input. Throws INPUT_INVALID where the
 * records cannot be separated.
 */
export declare function readRecords(
  input: string | Readable,
  options: ReadRecordsOptions
): AsyncGenerator<readonly ReadRecord[]>

/**
 * Checks the first bytes of an input. Throws INPUT_INVALID where it clearly has another format than expected; the
 * message names the option that reads it. An input without a name is a stream.
 */
export declare function recognizeInput(name: string | undefined, head: Buffer, form: InputForm): void

/**
 * Stamps files of JSON, with large reads and writes that overlap the work. An incomplete output never exists under its
 * name.
 */
export declare function stampFiles<R = any>(source: KeySource<R>, options: StampFilesOptions): Promise<Counts>

/** Reason of a system error, as the end of a sentence. */
export declare function systemReason(error: unknown): string

export {}
