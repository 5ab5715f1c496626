// API report of @keystamp/stream, made by npm run docs. A change here is a change of the public API.

import type { DefinitionOf } from '@keystamp/core'
import type { KeystampError } from '@keystamp/core'
import type { Plan } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { RecordCode } from '@keystamp/core'
import type { Transform } from 'node:stream'
import type { WithKey } from '@keystamp/core'
import type { Writable } from 'node:stream'

/** Counts of a stage so far. */
export interface Counts {
  /** All records, rejected ones included. */
  records: number
  rejected: number
  /** Number of rejected records by code. */
  readonly byCode: Partial<Record<RecordCode, number>>
  /** Position and reason of the first skipped record; only set if `onError` is `skip`. */
  firstSkipped?: string
  /** Bytes read; 0 if objects are stamped. */
  bytesIn: number
  /** Bytes written; 0 if objects are stamped. */
  bytesOut: number
}

/** Makes the key of a record. Called once for each record; synchronous. */
export type KeyFunction<R> = (record: R) => string

/** Source of the key: a plan, the JSON of a plan, or a function of the record. */
export type KeySource<R = unknown> = Plan | PlanDefinition | KeyFunction<R>

/** A stream over objects of known types. */
export interface ObjectStream<Chunk, Out> extends StageTransform {
  write(chunk: Chunk | Uint8Array | string, callback?: Written): boolean
  write(chunk: Chunk | Uint8Array | string, encoding: BufferEncoding, callback?: Written): boolean
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  toArray(options?: { readonly signal?: AbortSignal }): Promise<Out[]>
}

/** Progress of a stage. */
export interface Progress extends Readonly<Counts> {
  readonly seconds: number
  /** Average since the start. */
  readonly recordsPerSecond: number
  readonly bytesPerSecond: number
}

/** Takes a record, and returns it with its key; or takes an array of records, and returns an array. */
export interface RecordFunction<In, Out> extends StageHandle<Out> {
  (records: readonly In[]): Out[] | undefined
  (record: In): Out | undefined
}

/** Ends the work because a record gets no key. `rejected` has the position and the reason. */
export declare class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected
  constructor(rejected: Rejected)
}

/** Options for records that get no key. */
export interface RejectOptions<R = unknown> {
  /**
   * `throw` stops at the first one; `skip` leaves them out and counts them; a function is called with each one, and may
   * throw. Default: `throw`.
   */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /**
   * Number of rejected records that is still allowed; one more ends the work. A number, or a percentage of all records
   * such as `1%`. Default: no limit.
   */
  readonly maxRejected?: number | `${number}%`
}

/** A record that got no key: its position, the reason, and the record itself. */
export interface Rejected<R = unknown> extends SourcePosition {
  readonly code: RecordCode
  /** JSON pointer to the field of the record; empty for the record as a whole. */
  readonly path: string
  /** Position and reason in one sentence, without values of the record. */
  readonly message: string
  /** The original object, or the JSON text if bytes are stamped. */
  readonly record: R
  /** Error that a key function threw. */
  readonly cause?: unknown
}

/** A stage without a stream: a function that takes a chunk. */
export interface Stage<In, Out> extends StageHandle<Out> {
  /** Returns the output for the chunk; undefined for none. */
  (chunk: In): Out | undefined
}

/** A stage as a Node stream. If it has a listener for `progress`, it emits that event with a `Progress`. */
export interface StageTransform extends Transform {
  /** Counts of the stage so far. */
  readonly counts: Readonly<Counts>
}

/** Options of `stampArray`; `into` and `existing` belong to a key function. */
export type StampArrayOptions = StreamOptions<string> &
  Pick<ArrayOptions, 'maxRecordBytes' | 'to' | 'pick'> &
  KeyOptions

/** A stream that reads arrays of records and writes arrays of records with their keys. */
export type StampArraysStream<In, Out> = ObjectStream<readonly In[], Out[]>

/** Options of `stampLines`; `into` and `existing` belong to a key function. */
export type StampLinesOptions = StreamOptions<string> & Pick<BytesOptions, 'maxRecordBytes'> & KeyOptions

/** Options of `stamp`. */
export type StampOptions<R = unknown> = StreamOptions<R> &
  Pick<RecordStageOptions<R>, 'copy' | 'arrays'> &
  Pick<KeyOptions, 'random'>

/** Options of `stampStage`. */
export type StampStageOptions<R = unknown> = Omit<RecordStageOptions<R>, 'arrays'> & Pick<KeyOptions, 'random'>

/** A stream that reads records, or arrays of them, and writes them with their keys. */
export type StampStream<In, Out> = ObjectStream<In | readonly In[], Out>

/** Options that every stream has in addition to the options of its stage. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * Handling of rejected records. `throw` stops at the first one; `skip` leaves them out and counts them; a function is
   * called with each one, and may throw; `collect` writes each one to a side stream, as an object if the side stream is
   * in object mode, and as a line of JSON otherwise. Default: `throw`.
   */
  readonly onError?:
    | RejectOptions<R>['onError']
    | {
        readonly collect: Writable
      }
  readonly signal?: AbortSignal
  /**
   * High water mark of both sides of the stream: in bytes, or in chunks if objects are stamped. Default: Node's for
   * bytes; for objects, the number of chunks that hold about 1 MiB, at most 16.
   */
  readonly highWaterMark?: number
  /** Minimum time between two `progress` events, in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Monotonic clock for `progress`, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * Creates a stream that writes a key into every object. A chunk is a record or an array of records; an array costs far
 * less for each record. The compiler checks the plan: a plan with a field that the record type lacks does not compile.
 * The output type has the key.
 */
export declare function stamp<R, D>(
  plan: Plan<R, D>,
  options: StampOptions<R> & Arrays
): StampArraysStream<R, WithKey<R, D>>
export declare function stamp<R, D>(plan: Plan<R, D>, options?: StampOptions<R>): StampStream<R, WithKey<R, D>>
export declare function stamp<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions_2<R, Into> & Arrays
): StampArraysStream<R, WithText<R, Into>>
export declare function stamp<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions_2<R, Into>
): StampStream<R, WithText<R, Into>>
export declare function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options: StampOptions<R> & Arrays
): StampArraysStream<R, WithKey<R, D>>
export declare function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampOptions<R>
): StampStream<R, WithKey<R, D>>

/**
 * Creates a stream that reads one JSON array of any size and gives every element its key. It writes lines of JSON, or a
 * JSON array.
 */
export declare function stampArray<R = any>(source: KeySource<R>, options?: StampArrayOptions): StageTransform

/**
 * `stampArray` without a stream: a function that takes chunks of bytes; its method `end` returns the remaining output.
 */
export declare function stampArrayStage<R = any>(
  source: KeySource<R>,
  options?: ArrayOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/**
 * Creates a stream for lines of JSON: every record gets its key, and its other bytes stay unchanged. Accepts chunks
 * that end anywhere, CRLF, blank lines, a byte order mark and a missing last line end. Rejects invalid JSON with its
 * line number.
 */
export declare function stampLines<R = any>(source: KeySource<R>, options?: StampLinesOptions): StageTransform

/**
 * `stampLines` without a stream: a function that takes chunks of bytes; its method `end` returns the remaining output.
 */
export declare function stampLinesStage<R = any>(
  source: KeySource<R>,
  options?: BytesOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/** `stamp` without a stream: a function that writes a key into a record, or into each record of an array. */
export declare function stampStage<R, D>(
  plan: Plan<R, D>,
  options?: StampStageOptions<R>
): RecordFunction<R, WithKey<R, D>>
export declare function stampStage<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into>
): RecordFunction<R, WithText<R, Into>>
export declare function stampStage<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampStageOptions<R>
): RecordFunction<R, WithKey<R, D>>

/**
 * Finds the field of a record whose name is most similar to a missing field. Both are JSON pointers. Returns undefined
 * if no name is similar enough.
 */
export declare function suggestField(missing: string, record: unknown): string | undefined

/**
 * Adapts a stage to stream-chain, which then calls it at the end, too. Rejected records do not reach the next function.
 */
export declare function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out

/**
 * Adapts a stage to a Web TransformStream. A Web stream costs about 2 microseconds for each chunk: pass large chunks,
 * or arrays of records.
 */
export declare function toWebTransform<In, Out>(stage: Stage<In, Out>): TransformStream<In, Out>

// Not exported; the declarations above refer to it.

/** Options of stages that read arrays. */
interface ArrayOptions extends BytesOptions {
  /** Form of the output: lines of JSON, or a JSON array. Default: `lines`. */
  readonly to?: 'lines' | 'array' | undefined
  /**
   * Path of the array inside a larger document: property names separated by dots, such as `a.b`. Default: the document
   * is the array.
   */
  readonly pick?: string | undefined
}

type Arrays = {
  readonly arrays: true
}

/** Options of all stages that read bytes. */
interface BytesOptions extends RejectOptions<string> {
  /**
   * Maximum length of a record, in bytes. A longer record is rejected with JSON_TOO_LARGE. Default: 16 MiB; Cosmos DB
   * itself stores up to 2 MB.
   */
  readonly maxRecordBytes?: number | undefined
}

type FunctionOptions<R, Into> = Omit<RecordStageOptions<R>, 'arrays'> &
  Pick<KeyOptions, 'existing'> & {
    readonly into: Into
  }

type FunctionOptions_2<R, Into> = Omit<StampOptions<R>, 'random'> &
  Pick<KeyOptions, 'existing'> & {
    readonly into: Into
  }

/** Options that belong to a key function. */
interface KeyOptions {
  /** JSON pointer to the property that gets the key. Required with a key function, not allowed with a plan. */
  readonly into?: string
  /** Handling of a record that already has the property. Only with a key function. Default: `verify`. */
  readonly existing?: 'verify' | 'overwrite' | 'keep'
  /** Returns a random number from 0 up to, but not including, 1; used for random suffixes. Default: `Math.random`. */
  readonly random?: () => number
}

/**
 * Measures a chunk before it is stamped; `records` is the number of records so far. Returns the number of records from
 * which on it has to be called again.
 */
type MeasureChunk = (chunk: unknown, records: number) => number

interface RecordStageOptions<R = unknown> extends RejectOptions<R> {
  /** Stamp a copy and leave the input record unchanged. Default: the record itself gets its key. */
  readonly copy?: boolean
  /** Every chunk must be an array of records. Default: a chunk may be a record or an array of records. */
  readonly arrays?: boolean
  readonly measure?: MeasureChunk
}

/** Position of a record in the input. */
interface SourcePosition {
  /** Name of the input, if there are several. */
  readonly input?: string
  /** Line number, starting at 1, if the input is lines. */
  readonly line?: number
  /** Index of the record in the input, starting at 0, if the input is an array or objects. */
  readonly index?: number
  /** Byte position in the input, starting at 0: the byte at which reading the record stopped, or its first byte. */
  readonly byte?: number
}

/** Methods of a stage in addition to stamping. */
interface StageHandle<Out> {
  /** Returns the remaining output after the last chunk; undefined for none. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

/**
 * Adds a string property to a record type. `Into` is a JSON pointer to a top-level property; a deeper pointer leaves
 * the type unchanged.
 */
type WithText<R, Into extends string> = string extends Into
  ? R
  : Into extends `/${infer Name}`
    ? Name extends `${string}/${string}`
      ? R
      : R & {
          [Each in Name]: string
        }
    : R

type Written = (error?: Error | null) => void

export {}
