// API report of @keystamp/load, made by npm run docs. A change here is a change of the public API.

import type { AccountOptions } from '@keystamp/cosmos'
import type { InputForm } from '@keystamp/files'
import type { Plan } from '@keystamp/core'
import type { Readable } from 'node:stream'
import type { Resumption } from '@keystamp/files'
import type { Share } from '@keystamp/cosmos'
import type { WriteStrategy } from '@keystamp/cosmos'
import type { WriterOptions } from '@keystamp/cosmos'

/** Options of an estimate; those that are only for writing have no effect. */
export type EstimateOptions = Omit<LoadOptions, 'onProgress' | 'progressEveryMs' | 'onResumed' | 'onEnd' | 'checkpoint'>

/** Source of ids for records without one: a field, a hash of the record, or its input and line. */
export type IdSource = 'hash' | 'position' | `field:${string}`

/** Estimate of a load from its first records; nothing is written. */
export interface LoadEstimate extends SampleEstimate {
  /** Whether more records follow the sample. */
  readonly isCut: boolean
  /** Records that the load would write; undefined where the size of the inputs is not known. */
  readonly recordsInAll: number | undefined
  /** RU/s that the load may use; undefined where the container does not say what is provisioned. */
  readonly budgetRuPerSecond: number | undefined
}

/** Options of `load`: the container, the inputs, and how to write them. */
export interface LoadOptions extends AccountOptions {
  /**
   * Paths of files, decompressed by their ending (.gz, .zst), and `-` for standard input. `findInputs` of
   * `@keystamp/files` expands globs.
   */
  readonly inputs: readonly string[]
  /**
   * Makes the key of each record, and its id where the plan says so. Default: records carry them where the container
   * looks for them.
   */
  readonly plan?: Plan | undefined
  /** Path of the plan, where it is a file: the checkpoint and the file of rejected records must not replace it. */
  readonly planPath?: string | undefined
  /**
   * `overwrite` replaces documents, `append` keeps them; `overwriteIfNotModified`, `delete` and `deleteIfNotModified`
   * as with `operationFor`. Default: `overwrite`.
   */
  readonly strategy?: WriteStrategy
  /**
   * Source of ids for records without one: `field:/name`, `hash` or `position`; `field:/id` converts numeric ids.
   * Default: such a record is rejected.
   */
  readonly id?: IdSource | undefined
  /** Form of all inputs. Default: `csv` for names that end in .csv, .csv.gz or .csv.zst, else `lines`. */
  readonly form?: InputForm | undefined
  /** With CSV: the character between two values, or "tab". Default: a comma. */
  readonly delimiter?: string | undefined
  /** With `form: "array"`: where in a larger document the array is, such as `a.b`. */
  readonly pick?: string | undefined
  /** A longer record is rejected. Default: 8 MiB. */
  readonly maxRecordBytes?: number
  /** RU/s that the load may use, or a percentage of the provisioned throughput. Default: `100%`. */
  readonly share?: Share
  /** Shares the budget with other processes through Redis. */
  readonly sharedThrough?: WriterOptions['sharedThrough']
  /**
   * File in which the load stores its progress each second; `false` stores none. Default: the first input with
   * `.checkpoint` after its name, none for standard input.
   */
  readonly checkpoint?: string | false | undefined
  /**
   * `throw` stops at the first rejected record, `skip` counts them, `collect` also writes them to a new file. Default:
   * `throw`.
   */
  readonly onError?:
    | 'throw'
    | 'skip'
    | {
        readonly collect: string
      }
  /**
   * Stops the load when more records are rejected: a number, or a percentage of the records read. Default: no limit.
   */
  readonly maxRejected?: MaxRejected | undefined
  /** Accepts a plan with random suffixes, which stores a record twice when a load is resumed. Default: false. */
  readonly allowDuplicates?: boolean
  /** Read for the input `-`. Default: standard input of the process. */
  readonly stdin?: Readable
  /** Ends the load early; its checkpoint is stored before. */
  readonly signal?: AbortSignal
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Milliseconds between two calls of `onProgress`. Default: 1000. */
  readonly progressEveryMs?: number | undefined
  /** Called once with the position of the checkpoint, where the load resumes. */
  readonly onResumed?: ((resumption: Resumption) => void) | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Called once at the end, also where the load fails after it opened the container. */
  readonly onEnd?: ((summary: LoadSummary) => void) | undefined
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/** Progress of a load at one moment. */
export interface LoadProgress {
  readonly records: number
  readonly rejected: number
  /** Since the last call. */
  readonly recordsPerSecond: number
  readonly ruPerSecond: number
  readonly budgetRuPerSecond: number | undefined
  /**
   * The physical partition for which records wait, and its share of the RU; undefined while the load is even, or while
   * nothing waits.
   */
  readonly slowest:
    | {
        readonly range: string
        readonly share: number
      }
    | undefined
  /** Share of the inputs' bytes; undefined where their size is not known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** Outcome of a load. */
export interface LoadSummary extends Readonly<LoadCounts> {
  /** True when every record has its outcome; false when the signal ended the load, or when it failed. */
  readonly isComplete: boolean
  /** The load began at the position of a checkpoint. */
  readonly isResumed: boolean
  /** Number of rejected records by code. */
  readonly rejectedByCode: Readonly<Record<string, number>>
  /** With `onError: "skip"`: input, line and reason of the first record that was skipped. */
  readonly firstSkipped: string | undefined
  readonly chargedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly seconds: number
  /** Path of the checkpoint from which the same load resumes; undefined where there is none. */
  readonly checkpoint: string | undefined
  /** The error that stopped the load; `load` throws it. */
  readonly error: Error | undefined
}

/** A number of records, or a percentage of the records read. */
export type MaxRejected = number | `${number}%`

/** How many records `estimateLoad` reads. */
export declare const SAMPLE_RECORDS = 10000

/** Estimate from a sample of records. */
export interface SampleEstimate {
  /** Records of the sample that would be written, and those that would be rejected, by code. */
  readonly records: number
  readonly rejected: Readonly<Record<string, number>>
  readonly bytesPerRecord: number
  /** RU to create one document; replacing one costs about twice as much. */
  readonly ruPerRecord: number
  readonly keys: number
  /** The physical partitions by their share of the RU, largest first. */
  readonly ranges: readonly {
    readonly id: string
    readonly share: number
  }[]
  /**
   * Share of the provisioned throughput that such a load can use: each physical partition has an equal part, so it is 1
   * where all are equally loaded.
   */
  readonly usableShare: number
}

/**
 * Reads the first 10,000 records and estimates what a load would store in which physical partition, and its cost.
 * Writes nothing.
 */
export declare function estimateLoad(options: EstimateOptions): Promise<LoadEstimate>

/**
 * Writes the records of files into a container: within the budget, in the order of each document, and resumable by the
 * same call. Throws what stops it: OPTION_INVALID, CHECKPOINT_INVALID, RECORD_REJECTED and REJECTED_TOO_MANY are
 * `KeystampError`s, as are the failures of files and of Cosmos DB.
 */
export declare function load(options: LoadOptions): Promise<LoadSummary>

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
