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
  /** Position and reason of the first record that was skipped; missing where rejected records are not skipped. */
  firstSkipped?: string
  /** Bytes read; 0 where objects are stamped. */
  bytesIn: number
  /** Bytes written; 0 where objects are stamped. */
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

/** Returns the record with its key for a record, and an array for an array. */
export interface RecordFunction<In, Out> extends StageHandle<Out> {
  (records: readonly In[]): Out[] | undefined
  (record: In): Out | undefined
}

/** Error for a record that gets no key, where that ends the work. `rejected` has the position and the reason. */
export declare class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected
  constructor(rejected: Rejected)
}

/** Options for records that get no key. */
export interface RejectOptions<R = unknown> {
  /**
   * `throw` stops at the first, `skip` leaves them out and counts them, a function is called with each and may throw.
   * Default: `throw`.
   */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /**
   * Limit of rejected records after which the work stops: a number, or a percentage of all records such as `1%`.
   * Default: no limit.
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
  /** The original object, or the JSON text where bytes are stamped. */
  readonly record: R
  /** Error that a key function threw. */
  readonly cause?: unknown
}

/** A stage without a stream: a function of a chunk. */
export interface Stage<In, Out> extends StageHandle<Out> {
  /** Returns the output for the chunk; undefined for none. */
  (chunk: In): Out | undefined
}

/** A stage as a Node stream. It emits `progress` with a `Progress` while there is a listener. */
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

/** Options of every stream, in addition to those of its stage. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * Handling of rejected records: `throw` stops at the first, `skip` leaves them out and counts them, a function is
   * called with each and may throw; `collect` writes each to a side stream, as an object, or as a line of JSON where
   * the stream reads bytes. Default: `throw`.
   */
  readonly onError?:
    | RejectOptions<R>['onError']
    | {
        readonly collect: Writable
      }
  readonly signal?: AbortSignal
  /**
   * High water mark of both sides, in bytes, or in chunks where objects are stamped. Default: Node's for bytes; for
   * objects, the number of chunks that hold about 1 MiB, at most 16.
   */
  readonly highWaterMark?: number
  /** Minimum time between two `progress` events, in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Monotonic clock for `progress`, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * Creates a stream that writes a key into every object. A chunk is a record, or an array of records, which costs far
 * less for each record. Types are checked: a plan that names a field that the record type lacks does not compile, and
 * the output type has the key.
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
 * Creates a stream that reads one JSON array of any size and gives every element its key. It writes lines of JSON, or
 * an array again.
 */
export declare function stampArray<R = any>(source: KeySource<R>, options?: StampArrayOptions): StageTransform

/** `stampArray` without a stream: a function of chunks of bytes, with `end` for the rest. */
export declare function stampArrayStage<R = any>(
  source: KeySource<R>,
  options?: ArrayOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/**
 * Creates a stream for lines of JSON: every record gets its key, and its other bytes stay as they are. Accepts any
 * chunking, CRLF, blank lines, a byte order mark and a missing last line end. Rejects invalid JSON with its line
 * number.
 */
export declare function stampLines<R = any>(source: KeySource<R>, options?: StampLinesOptions): StageTransform

/** `stampLines` without a stream: a function of chunks of bytes, with `end` for the last line. */
export declare function stampLinesStage<R = any>(
  source: KeySource<R>,
  options?: BytesOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/** `stamp` without a stream: a function that gives a record, or an array of them, its key. */
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
 * Finds the field of a record that is most similar to a missing one, both as JSON pointers; undefined where none is
 * similar enough.
 */
export declare function suggestField(missing: string, record: unknown): string | undefined

/** Adapts a stage to stream-chain: it is called at the end, and rejected records do not reach the next function. */
export declare function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out

/**
 * Adapts a stage to a Web TransformStream. Each chunk costs about 2 microseconds there: pass large chunks, or arrays of
 * records.
 */
export declare function toWebTransform<In, Out>(stage: Stage<In, Out>): TransformStream<In, Out>

// Not exported; the declarations above refer to it.

/** Options of stages that read arrays. */
interface ArrayOptions extends BytesOptions {
  /** Output: lines of JSON, or an array again. Default: `lines`. */
  readonly to?: 'lines' | 'array' | undefined
  /**
   * Path of the array inside a larger document: property names with dots between, such as `a.b`. Default: the document
   * is the array.
   */
  readonly pick?: string | undefined
}

type Arrays = {
  readonly arrays: true
}

/** Options of all stages that read bytes. */
interface BytesOptions extends RejectOptions<string> {
  /** A longer record is rejected with JSON_TOO_LARGE. In bytes. Default: 16 MiB; Cosmos DB itself stores up to 2 MB. */
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
  /**
   * JSON pointer to the property that the key is written into. Required with a key function, and only allowed there.
   */
  readonly into?: string
  /** Handling of a record that already has the property. Only with a key function. Default: `verify`. */
  readonly existing?: 'verify' | 'overwrite' | 'keep'
  /** Random numbers from 0 up to, but not including, 1, for random suffixes. Default: `Math.random`. */
  readonly random?: () => number
}

/** Measures a chunk before it is stamped. Returns the number of records after which it has to be called again. */
type Look = (chunk: unknown, records: number) => number

interface RecordStageOptions<R = unknown> extends RejectOptions<R> {
  /** Stamp a copy and leave the input record unchanged. Default: the record itself gets its key. */
  readonly copy?: boolean
  /** Every chunk must be an array of records. Default: a chunk may be either. */
  readonly arrays?: boolean
  readonly look?: Look
}

/** Position of a record in the input. */
interface SourcePosition {
  /** Name of the input, where there are several. */
  readonly input?: string
  /** Line number from 1 on, where the input is lines. */
  readonly line?: number
  /** Index of the record in the input, from 0 on, where the input is an array or objects. */
  readonly index?: number
  /** Byte of the input at which the record begins, or at which reading it stopped; from 0 on. */
  readonly byte?: number
}

/** Methods of a stage in addition to stamping. */
interface StageHandle<Out> {
  /** Returns the remaining output after the last chunk; undefined for none. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

/** A record type with a string at a JSON pointer to a top-level property; a deeper pointer leaves the type as it is. */
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
