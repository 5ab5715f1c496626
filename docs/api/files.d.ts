// API report of @keystamp/files, made by npm run docs. A change here is a change of the public API.

import type { ArrayOptions } from '@keystamp/stream/internal'
import type { Counts } from '@keystamp/stream'
import type { KeyOptions } from '@keystamp/stream/internal'
import type { KeySource } from '@keystamp/stream'
import type { Progress } from '@keystamp/stream'
import type { Readable } from 'node:stream'
import type { Rejection } from '@keystamp/core'
import type { Writable } from 'node:stream'

/** How far the files are stamped. */
export interface FileProgress extends Progress {
  /** Bytes read so far, before decompression. */
  readonly bytesRead: number
  /** Bytes of all inputs; undefined where one is a stream. */
  readonly bytesTotal: number | undefined
}

/** How the records of an input are written. */
export type InputForm = 'lines' | 'array' | 'csv'

/** A position in the inputs of a load, before which every record has its outcome. */
export interface InputPosition {
  /** Index of the input, from 0 on. */
  readonly input: number
  /** Number of lines of this input that have their outcome. */
  readonly line: number
  /** A line at or before the position, by its number from 0 on, and its first byte: reading can begin there. */
  readonly from: {
    readonly line: number
    readonly byte: number
    /** Line of the text, from 1 on, where a record can take several: in CSV. */
    readonly textLine?: number
  }
  /** The byte after the last line that has its outcome; missing in checkpoints of older versions. */
  readonly byte?: number
}

/** A record of an array or of CSV as the bytes of a JSON object. */
export interface ReadRecord {
  readonly bytes: Buffer
  /** Why it is rejected before anything looks at its values. */
  readonly rejection: Rejection | undefined
  /** From 0 on, among the records of the input. */
  readonly index: number
  /** From 1 on; of CSV. */
  readonly line: number | undefined
  /** Of the input, where it begins; of CSV. */
  readonly byte: number
  /** The byte after it; of CSV. */
  readonly end: number | undefined
  /** About how many bytes of the input it takes. */
  readonly size: number
}

export interface ReadRecordsOptions {
  readonly form: 'array' | 'csv'
  readonly delimiter?: string | undefined
  readonly pick?: string | undefined
  readonly maxRecordBytes: number
  /** A record of CSV in a file that is not compressed, to begin at. */
  readonly from?:
    | {
        readonly index: number
        readonly line: number
        readonly byte: number
      }
    | undefined
  readonly signal: AbortSignal
}

/** Where an earlier run has come to. */
export interface Resumption {
  readonly place: InputPosition
  /** Names of the inputs that have changed after that place. */
  readonly changed: readonly string[]
}

/** What `stampFiles` can be told; `pick` goes with arrays, `to` with arrays and CSV. */
export interface StampFilesOptions extends Omit<ArrayOptions, 'onError'>, KeyOptions {
  /** Files, read one behind the other and decompressed by their ending (.gz, .zst), or streams. */
  readonly inputs: readonly (string | Readable)[]
  /** A file, compressed by its ending and put in place only when it is whole, or a stream, which is not ended. */
  readonly output: string | Writable
  /** As with the streams; `collect` names a new file, or is a stream, to which each rejected record goes as a line of JSON. */
  readonly onError?:
    | ArrayOptions['onError']
    | {
        readonly collect: string | Writable
      }
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

/** Names of the input files: globs expanded in sorted order, and each file once. Gives `-`, which means standard input, where none is named. */
export declare function findInputs(files: readonly string[]): Promise<readonly string[]>

/** The form that a file's name tells: CSV by its ending, before that of its compression; else lines of JSON. */
export declare function formOfName(name: string): 'lines' | 'csv'

/** Turns what the system says about an input into a sentence. */
export declare function inputError(name: string, error: unknown): unknown

/** Turns what the system says about the output into a sentence. */
export declare function outputError(name: string, error: unknown): unknown

/** Reads the records of an array or of CSV, as many at once as a piece of the input holds. Throws INPUT_INVALID where they cannot be told apart. */
export declare function readRecords(input: string | Readable, options: ReadRecordsOptions): AsyncGenerator<readonly ReadRecord[]>

/**
 * Looks at the first bytes of an input, and throws INPUT_INVALID where it is clearly of another form than expected: with what reads it.
 * An input without a name is a stream.
 */
export declare function recognizeInput(name: string | undefined, head: Buffer, form: InputForm): void

/** Stamps files of JSON, with large reads and writes that overlap the work. Nothing half is left under the output's name. */
export declare function stampFiles<R = any>(source: KeySource<R>, options: StampFilesOptions): Promise<Counts>

/** Why the system refused something, as the end of a sentence. */
export declare function systemReason(error: unknown): string

export {}
