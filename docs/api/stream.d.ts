// API report of @keystamp/stream, made by npm run docs. A change here is a change of the public API.

import type { DefinitionOf } from '@keystamp/core'
import type { KeystampError } from '@keystamp/core'
import type { Plan } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { RecordCode } from '@keystamp/core'
import type { Transform } from 'node:stream'
import type { WithKey } from '@keystamp/core'
import type { Writable } from 'node:stream'

/** What a stage has seen so far. */
export interface Counts {
  /** All records, rejected ones included. */
  records: number
  rejected: number
  /** Why they were rejected, and how often. */
  readonly byCode: Partial<Record<RecordCode, number>>
  /** Place and reason of the first record that was skipped; missing where rejected records are not skipped. */
  firstSkipped?: string
  /** Bytes taken in; 0 where objects are stamped. */
  bytesIn: number
  /** Bytes given out; 0 where objects are stamped. */
  bytesOut: number
}

/** Makes the key of a record. It is called once a record and cannot be awaited. */
export type KeyFunction<R> = (record: R) => string

/** What says how the key is made: a plan, the JSON of one, or a function of the record. */
export type KeySource<R = unknown> = Plan | PlanDefinition | KeyFunction<R>

/** A stage over objects whose types are known. */
export interface ObjectStream<Chunk, Out> extends StageTransform {
  write(chunk: Chunk | Uint8Array | string, callback?: Written): boolean
  write(chunk: Chunk | Uint8Array | string, encoding: BufferEncoding, callback?: Written): boolean
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  toArray(options?: { readonly signal?: AbortSignal }): Promise<Out[]>
}

/** How far a stage has come. */
export interface Progress extends Readonly<Counts> {
  readonly seconds: number
  /** Over the whole time so far. */
  readonly recordsPerSecond: number
  readonly bytesPerSecond: number
}

/** A record in, the record with its key out; an array of records in, an array out. */
export interface RecordFunction<In, Out> extends StageHandle<Out> {
  (records: readonly In[]): Out[] | undefined
  (record: In): Out | undefined
}

/** Stops the work at a record that gets no key. `rejected` says which one and why. */
export declare class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected
  constructor(rejected: Rejected)
}

/** What to do with records that get no key. */
export interface RejectOptions<R = unknown> {
  /** `throw` stops at the first, `skip` leaves them out and counts them, a function is told of each and may throw. Default: `throw`. */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /** How many may be rejected before the work stops: a number, or a per cent of all records such as `1%`. Default: no limit. */
  readonly maxRejected?: number | `${number}%`
}

/** A record that got no key: which one, why, and the record itself. */
export interface Rejected<R = unknown> extends Place {
  readonly code: RecordCode
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
  /** One sentence that says where and why. Carries no value of the record. */
  readonly message: string
  /** The object as it came in, or the text of the JSON where bytes are stamped. */
  readonly record: R
  /** What a key function threw. */
  readonly cause?: unknown
}

/** A stage without streams: a function of a chunk. */
export interface Stage<In, Out> extends StageHandle<Out> {
  /** What the chunk gives; undefined for nothing. */
  (chunk: In): Out | undefined
}

/** A stage as a Node stream. It emits `progress` with a `Progress` while somebody listens. */
export interface StageTransform extends Transform {
  /** What the stage has seen so far. */
  readonly counts: Readonly<Counts>
}

/** What `stampArray` can be told; `into` and `existing` go with a key function. */
export type StampArrayOptions = StreamOptions<string> & Pick<ArrayOptions, 'maxRecordBytes' | 'to' | 'pick'> & KeyOptions

/** A stream that takes arrays of records and gives arrays of records with their keys. */
export type StampArraysStream<In, Out> = ObjectStream<readonly In[], Out[]>

/** What `stampLines` can be told; `into` and `existing` go with a key function. */
export type StampLinesOptions = StreamOptions<string> & Pick<BytesOptions, 'maxRecordBytes'> & KeyOptions

/** What `stamp` can be told. */
export type StampOptions<R = unknown> = StreamOptions<R> & Pick<RecordStageOptions<R>, 'copy' | 'arrays'> & Pick<KeyOptions, 'random'>

/** What `stampStage` can be told. */
export type StampStageOptions<R = unknown> = Omit<RecordStageOptions<R>, 'arrays'> & Pick<KeyOptions, 'random'>

/** A stream that takes records, or arrays of them, and gives them back with their keys. */
export type StampStream<In, Out> = ObjectStream<In | readonly In[], Out>

/** What every stage that is a stream takes beside what it stamps by. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * `throw` stops at the first, `skip` leaves them out and counts them, a function is told of each and may throw;
   * `collect` hands each to a side stream: as an object, or as a line of JSON where the stream takes bytes. Default: `throw`.
   */
  readonly onError?:
    | RejectOptions<R>['onError']
    | {
        readonly collect: Writable
      }
  readonly signal?: AbortSignal
  /** Bytes, or chunks where objects are stamped, that may wait on either side. Default: Node's bytes; as many chunks as hold about a mebibyte, 16 at most. */
  readonly highWaterMark?: number
  /** Least time between two `progress` events in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Milliseconds that only ever grow, for `progress`. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * A stream that writes a key into every object that flows through it. A chunk is a record, or an array of records, which costs far less.
 * The types flow on: a plan that names a field the record lacks does not compile, and what comes out has the key.
 */
export declare function stamp<R, D>(plan: Plan<R, D>, options: StampOptions<R> & Arrays): StampArraysStream<R, WithKey<R, D>>
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

/** A stream of one JSON array of any size: every element gets its key. Lines of JSON come out, or an array again. */
export declare function stampArray<R = any>(source: KeySource<R>, options?: StampArrayOptions): StageTransform

/** `stampArray` without a stream: a function of chunks of bytes, and `end` for what is left. */
export declare function stampArrayStage<R = any>(
  source: KeySource<R>,
  options?: ArrayOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/**
 * A stream of lines of JSON: every record gets its key, and stays byte for byte as it came in otherwise.
 * Any chunking, CRLF, blank lines, a byte order mark and a missing last line end are fine; what is not valid JSON is rejected by its line number.
 */
export declare function stampLines<R = any>(source: KeySource<R>, options?: StampLinesOptions): StageTransform

/** `stampLines` without a stream: a function of chunks of bytes, and `end` for the last line. */
export declare function stampLinesStage<R = any>(
  source: KeySource<R>,
  options?: BytesOptions & KeyOptions
): Stage<Uint8Array | string, Buffer>

/** `stamp` without a stream: a function that gives a record, or an array of them, its key. */
export declare function stampStage<R, D>(plan: Plan<R, D>, options?: StampStageOptions<R>): RecordFunction<R, WithKey<R, D>>
export declare function stampStage<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into>
): RecordFunction<R, WithText<R, Into>>
export declare function stampStage<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampStageOptions<R>
): RecordFunction<R, WithKey<R, D>>

/** The field of a record that is close to one that it lacks, both as JSON pointers; undefined where none is close enough to be meant. */
export declare function suggestField(missing: string, record: unknown): string | undefined

/** A stage as a function for a stream-chain: it is told of the end, and what is rejected does not reach the next function. */
export declare function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out

/** A stage as a Web TransformStream. Each chunk costs about 2 microseconds there: hand over large pieces, or arrays of records. */
export declare function toWebTransform<In, Out>(stage: Stage<In, Out>): TransformStream<In, Out>

// Not exported; the declarations above refer to it.

/** What the stages over arrays can be told. */
interface ArrayOptions extends BytesOptions {
  /** What comes out: lines of JSON, or an array again. Default: `lines`. */
  readonly to?: 'lines' | 'array' | undefined
  /** Names of members with dots between, such as `a.b`: where in a larger document the array stands. Default: the document is the array. */
  readonly pick?: string | undefined
}

type Arrays = {
  readonly arrays: true
}

/** What the stages over bytes have in common. */
interface BytesOptions extends RejectOptions<string> {
  /** A record of more bytes is rejected with JSON_TOO_LARGE. Default: 16 MiB; Cosmos DB itself stores up to 2 MB. */
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

/** What a key function needs beside itself. */
interface KeyOptions {
  /** Where the key is written, as a JSON pointer. Only with a key function, and there it is needed. */
  readonly into?: string
  /** What to do with a record that already carries the member. Only with a key function. Default: `verify`. */
  readonly existing?: 'verify' | 'overwrite' | 'keep'
  /** Numbers from 0 up to, but not including, 1, for random suffixes. Default: `Math.random`. */
  readonly random?: () => number
}

/** Looks at a chunk before it is stamped, and says behind how many records it is to be asked again. */
type Look = (chunk: unknown, records: number) => number

/** Where in the input a record stands. */
interface Place {
  /** The name of the input, where several are read. */
  readonly input?: string
  /** From 1 on; where the input is lines. */
  readonly line?: number
  /** From 0 on, among the records of the input; where it is an array or objects. */
  readonly index?: number
  /** From 0 on: the byte of the input at which the record begins, or reading it stopped. */
  readonly byte?: number
}

interface RecordStageOptions<R = unknown> extends RejectOptions<R> {
  /** Stamp a copy and leave the record as it came in. Default: the record itself gets its key. */
  readonly copy?: boolean
  /** Every chunk is an array of records; any other stops the work. Default: a chunk may be either. */
  readonly arrays?: boolean
  readonly look?: Look
}

/** What a stage can be asked beside the stamping. */
interface StageHandle<Out> {
  /** Behind the last chunk: what is left; undefined for nothing. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

/** A record type with a text at a JSON pointer, where that is at the top; deeper ones leave the type as it is. */
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
