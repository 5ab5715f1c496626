// API report of @keystamp/load, made by npm run docs. A change here is a change of the public API.

import type { AccountOptions } from '@keystamp/cosmos'
import type { InputForm } from '@keystamp/files'
import type { Plan } from '@keystamp/core'
import type { Readable } from 'node:stream'
import type { Resumption } from '@keystamp/files'
import type { Share } from '@keystamp/cosmos'
import type { ThrottledRange } from '@keystamp/cosmos'
import type { WriteStrategy } from '@keystamp/cosmos'
import type { WriterOptions } from '@keystamp/cosmos'

/** Options of an estimate. Options that only matter for writing have no effect. */
export type EstimateOptions = Omit<LoadOptions, 'onProgress' | 'progressEveryMs' | 'onResumed' | 'onEnd' | 'checkpoint'>

/** Source of ids for records without an id: a field, a hash of the record, or the record's input and line. */
export type IdSource = 'hash' | 'position' | `field:${string}`

/** Estimate of a load from its first records. */
export interface LoadEstimate extends SampleEstimate {
  /** True if more records follow the sample. */
  readonly isCut: boolean
  /** Records that the load would write; undefined if the size of the inputs is not known. */
  readonly recordsInAll: number | undefined
  /**
   * RU/s that the load may use; undefined if the load takes a percentage and the provisioned throughput is not known.
   */
  readonly budgetRuPerSecond: number | undefined
}

/** Options of `load`: the container, the inputs, and how to write them. */
export interface LoadOptions extends AccountOptions {
  /**
   * Paths of files, or `-` for standard input. Files that end in .gz or .zst are decompressed. `findInputs` of
   * `@keystamp/files` expands globs.
   */
  readonly inputs: readonly string[]
  /**
   * Makes the key of each record, and the id if the plan defines one. Default: each record contains the key and the id
   * as the container needs them.
   */
  readonly plan?: Plan | undefined
  /** Path of the plan's file, if it has one: neither the checkpoint nor the file of rejected records may replace it. */
  readonly planPath?: string | undefined
  /**
   * `overwrite` replaces documents, `append` keeps them; `overwriteIfNotModified`, `delete` and `deleteIfNotModified`
   * work as in `operationFor`. Default: `overwrite`.
   */
  readonly strategy?: WriteStrategy
  /**
   * Source of ids for records without one: `field:/name`, `hash` or `position`; `field:/id` converts numeric ids.
   * Default: such a record is rejected.
   */
  readonly id?: IdSource | undefined
  /**
   * `debezium`: the records are change data of Debezium in JSON. The row after a change is stored, and a delete removes
   * the document of the row before it. Default: each record is a document.
   */
  readonly changeData?: 'debezium' | undefined
  /** Format of all inputs. Default: `csv` for names that end in .csv, .csv.gz or .csv.zst, otherwise `lines`. */
  readonly form?: InputForm | undefined
  /** With CSV: the delimiter, one character or "tab". Default: a comma. */
  readonly delimiter?: string | undefined
  /** With `form: "array"`: path of the array inside a larger document, such as `a.b`. */
  readonly pick?: string | undefined
  /** Maximum length of a record, in bytes; a longer record is rejected. Default: 8 MiB. */
  readonly maxRecordBytes?: number
  /** RU/s that the load may use, or a percentage of the provisioned throughput. Default: `100%`. */
  readonly share?: Share
  /** Redis through which this process shares the budget with other processes. */
  readonly sharedThrough?: WriterOptions['sharedThrough']
  /**
   * File in which the load stores its progress each second; `false`: no file. Default: the name of the first input with
   * `.checkpoint` appended; no file for standard input.
   */
  readonly checkpoint?: string | false | undefined
  /**
   * `throw` stops at the first rejected record; `skip` counts rejected records; `collect` counts them and writes them
   * to a new file. Default: `throw`.
   */
  readonly onError?:
    | 'throw'
    | 'skip'
    | {
        readonly collect: string
      }
  /**
   * Number of rejected records that is still allowed; one more stops the load. A number, or a percentage of the records
   * read. Default: no limit.
   */
  readonly maxRejected?: MaxRejected | undefined
  /** Accepts a plan with random suffixes. With such a plan, a resumed load may store a record twice. Default: false. */
  readonly allowDuplicates?: boolean
  /** Stream for the input `-`. Default: standard input of the process. */
  readonly stdin?: Readable
  /** Ends the load early, after it has stored its checkpoint. */
  readonly signal?: AbortSignal
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Milliseconds between two calls of `onProgress`. Default: 1000. */
  readonly progressEveryMs?: number | undefined
  /** Called once if the load resumes, with the position of the checkpoint. */
  readonly onResumed?: ((resumption: Resumption) => void) | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Called once at the end, even if the load fails after it has opened the container. */
  readonly onEnd?: ((summary: LoadSummary) => void) | undefined
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/** Progress of a load at one moment. */
export interface LoadProgress {
  readonly records: number
  readonly rejected: number
  /** Average since the last call. */
  readonly recordsPerSecond: number
  readonly ruPerSecond: number
  readonly budgetRuPerSecond: number | undefined
  /**
   * The physical partition that records wait for, and its share of the RU; undefined if the load on the partitions is
   * even, or if no record waits.
   */
  readonly slowest:
    | {
        readonly range: string
        readonly share: number
      }
    | undefined
  /** The throttled physical partition that gets most of the RU, with the reason; undefined if none is throttled. */
  readonly throttled: ThrottledRange | undefined
  /** Share of the inputs' bytes that is done; undefined if the size of the inputs is not known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** Outcome of a load. */
export interface LoadSummary extends Readonly<LoadCounts> {
  /** True if every record has its outcome; false if the signal ended the load or the load failed. */
  readonly isComplete: boolean
  /** True if the load began at the position of a checkpoint. */
  readonly isResumed: boolean
  /** Number of rejected records by code. */
  readonly rejectedByCode: Readonly<Record<string, number>>
  /** With `onError: "skip"`: input, line and reason of the first skipped record. */
  readonly firstSkipped: string | undefined
  readonly chargedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly seconds: number
  /** Path of the checkpoint from which the same load resumes; undefined if there is no checkpoint. */
  readonly checkpoint: string | undefined
  /** Error that stopped the load, which `load` also throws. */
  readonly error: Error | undefined
}

/** A number of records, or a percentage of the records read. */
export type MaxRejected = number | `${number}%`

/** Why a line is not replayed: it is no rejected record, or it does not have the bytes of the record. */
export type RejectedLineCode = 'DEAD_LETTER_INVALID' | 'PAYLOAD_MISSING'

/** Numbers of lines that were read. */
export interface RejectedLineCounts {
  read: number
  /** Records with other codes. */
  leftOut: number
  replayedBefore: number
  /** Records that can be replayed, by the code of their rejection. */
  readonly matched: Map<string, number>
  readonly refused: Map<RejectedLineCode, number>
  /** File, line and part of the first one with DEAD_LETTER_INVALID. */
  firstInvalid: string | undefined
}

export interface RejectedReplay {
  readonly counts: Readonly<RejectedLineCounts>
  /** Writes the records that match. Throws if Cosmos DB refuses, a file was changed, or a mark cannot be written. */
  readonly run: (marks: ReplayMarks, onProgress?: (done: number) => void) => Promise<RejectedReplayResult>
}

/** Options of `openRejectedReplay`: the container, and files of rejected records. */
export interface RejectedReplayOptions extends AccountOptions {
  /** Files that `load` or `stamp` has written with `onError: { collect: … }`; .gz and .zst are decompressed. */
  readonly inputs: readonly string[]
  /** As in `load`. */
  readonly plan?: Plan | undefined
  /** As in `load`; `position` makes ids of the input and the line in which the record was. */
  readonly id?: IdSource | undefined
  readonly share?: Share
  /**
   * JSON pointer of a field: a record is stored only if the value of this field is higher than in the stored document.
   * Default: a record is stored only if its document does not exist.
   */
  readonly newerBy?: string | undefined
  /** Codes of rejections. Default: all. */
  readonly codes?: readonly string[] | undefined
  /** Whether a record was replayed before, by its mark. */
  readonly isReplayed: (mark: string) => boolean
  readonly signal: AbortSignal
}

/** Outcome of a replay. */
export interface RejectedReplayResult {
  /** Records that are stored now, or were stored already. */
  readonly stored: number
  /** Records that were not stored, because the stored document is newer or stays. */
  readonly kept: number
  /** Records that were rejected again, by code, with the first message. */
  readonly rejected: ReadonlyMap<string, number>
  readonly messages: ReadonlyMap<string, string>
  /** Records without an outcome: the signal was aborted. */
  readonly open: number
}

/** Takes the marks of replayed records. */
export interface ReplayMarks {
  /** `name`: file and line. */
  readonly add: (mark: string, name: string) => void
  readonly sync: () => void
}

/** Maximum number of records that `estimateLoad` reads. */
export declare const SAMPLE_RECORDS = 10000

/** Estimate from a sample of records. */
export interface SampleEstimate {
  /** Number of records in the sample that would be written. */
  readonly records: number
  readonly rejected: Readonly<Record<string, number>>
  readonly bytesPerRecord: number
  /** RU to create one document; replacing one costs about twice as much. */
  readonly ruPerRecord: number
  readonly keys: number
  /** Physical partitions with their share of the RU, largest share first. */
  readonly ranges: readonly {
    readonly id: string
    readonly share: number
  }[]
  /**
   * Share of the provisioned throughput that the load can use. Each physical partition provides an equal part, so the
   * share is 1 if the load is the same on all of them.
   */
  readonly usableShare: number
}

/**
 * Reads the first 10,000 records, and estimates the cost of a load and the share of each physical partition. Writes
 * nothing.
 */
export declare function estimateLoad(options: EstimateOptions): Promise<LoadEstimate>

/**
 * Writes the records of files into a container. Stays within the RU budget, keeps the order of the writes of each
 * document, and resumes an interrupted load if it is called again with the same options. Throws the error that stops
 * the load: a `KeystampError` such as OPTION_INVALID, CHECKPOINT_INVALID, RECORD_REJECTED or REJECTED_TOO_MANY, or one
 * for a failure of a file or of Cosmos DB.
 */
export declare function load(options: LoadOptions): Promise<LoadSummary>

/**
 * Reads files of rejected records, and counts those that match. Writes nothing before `run`. Throws OPTION_INVALID, or
 * INPUT_UNREADABLE.
 */
export declare function openRejectedReplay(options: RejectedReplayOptions): Promise<RejectedReplay>

// Not exported; the declarations above refer to it.

/** Counts of a load so far. */
interface LoadCounts {
  records: number
  written: number
  unchanged: number
  rejected: number
  /** Bytes of the lines that have their outcome. */
  bytes: number
}

export {}
