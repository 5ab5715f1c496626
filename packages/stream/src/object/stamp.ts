import type { DefinitionOf, Plan, PlanDefinition, WithKey } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import { KEY_OPTIONS, REJECT_OPTIONS, STREAM_OPTIONS, type StreamOptions } from '../flow/stream-options.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import type { KeyFunction, KeyOptions, KeySource } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import type { WithText } from './stamp-stage.ts'
import { limitWaiting } from './limit-waiting.ts'
import { createRecordStage, type RecordStageOptions } from './record-stage.ts'

/** A stream that reads records, or arrays of them, and writes them with their keys. */
export type StampStream<In, Out> = ObjectStream<In | readonly In[], Out>

/** A stream that reads arrays of records and writes arrays of records with their keys. */
export type StampArraysStream<In, Out> = ObjectStream<readonly In[], Out[]>

/** A stream over objects of known types. */
export interface ObjectStream<Chunk, Out> extends StageTransform {
  // bytes and strings are declared only because every pipe target has to accept them
  write(chunk: Chunk | Uint8Array | string, callback?: Written): boolean
  write(chunk: Chunk | Uint8Array | string, encoding: BufferEncoding, callback?: Written): boolean
  // `for await` uses the first overload, and the end of a pipeline the last one. The second one is for streams inside a
  // pipeline, where Node's types accept only a stream that may produce bytes.
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  // oxlint-disable-next-line no-explicit-any -- `any` is the unknown record type, as in createPlan
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  toArray(options?: { readonly signal?: AbortSignal }): Promise<Out[]>
}

type Written = (error?: Error | null) => void

/** Options of `stamp`. */
export type StampOptions<R = unknown> = StreamOptions<R> &
  Pick<RecordStageOptions<R>, 'copy' | 'arrays'> &
  Pick<KeyOptions, 'random'>

type Arrays = { readonly arrays: true }

type FunctionOptions<R, Into> = Omit<StampOptions<R>, 'random'> & Pick<KeyOptions, 'existing'> & { readonly into: Into }

/**
 * Creates a stream that writes a key into every object. A chunk is a record or an array of records; an array costs far
 * less for each record. The compiler checks the plan: a plan with a field that the record type lacks does not compile.
 * The output type has the key.
 */
export function stamp<R, D>(plan: Plan<R, D>, options: StampOptions<R> & Arrays): StampArraysStream<R, WithKey<R, D>>
export function stamp<R, D>(plan: Plan<R, D>, options?: StampOptions<R>): StampStream<R, WithKey<R, D>>
export function stamp<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into> & Arrays
): StampArraysStream<R, WithText<R, Into>>
export function stamp<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into>
): StampStream<R, WithText<R, Into>>
// oxlint-disable-next-line no-explicit-any -- `any` is the unknown record type, as in createPlan
export function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options: StampOptions<R> & Arrays
): StampArraysStream<R, WithKey<R, D>>
// oxlint-disable-next-line no-explicit-any -- `any` is the unknown record type, as in createPlan
export function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampOptions<R>
): StampStream<R, WithKey<R, D>>
export function stamp(source: KeySource<never>, options: StampOptions = {}): unknown {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...STREAM_OPTIONS, 'copy', 'arrays'])
  const stamper = toKeyStamper(source, options)
  const { copy = false, arrays = false } = options
  const measure = options.highWaterMark === undefined ? limitWaiting(() => stream) : undefined
  const stream: StageTransform = createTransform(
    (reject) => createRecordStage(stamper, { ...reject, copy, arrays, ...(measure && { measure }) }),
    options,
    true
  )
  return stream
}
