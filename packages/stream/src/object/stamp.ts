import type { DefinitionOf, Plan, PlanDefinition, WithKey } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import { KEY_OPTIONS, REJECT_OPTIONS, STREAM_OPTIONS, type StreamOptions } from '../flow/stream-options.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import type { KeyFunction, KeyOptions, KeySource } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import type { WithText } from './stamp-stage.ts'
import { limitWaiting } from './limit-waiting.ts'
import { createRecordStage, type RecordStageOptions } from './record-stage.ts'

/** A stream that takes records, or arrays of them, and gives them back with their keys. */
export type StampStream<In, Out> = ObjectStream<In | readonly In[], Out>

/** A stream that takes arrays of records and gives arrays of records with their keys. */
export type StampArraysStream<In, Out> = ObjectStream<readonly In[], Out[]>

/** A stage over objects whose types are known. */
export interface ObjectStream<Chunk, Out> extends StageTransform {
  // bytes and text are here only because whatever can be piped to must declare them
  write(chunk: Chunk | Uint8Array | string, callback?: Written): boolean
  write(chunk: Chunk | Uint8Array | string, encoding: BufferEncoding, callback?: Written): boolean
  // `for await` asks the first of these, the last stage of a pipeline the last; Node's types let only what may give bytes stand inside one
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  // oxlint-disable-next-line no-explicit-any -- see above
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  toArray(options?: { readonly signal?: AbortSignal }): Promise<Out[]>
}

type Written = (error?: Error | null) => void

/** What `stamp` can be told. */
export type StampOptions<R = unknown> = StreamOptions<R> & Pick<RecordStageOptions<R>, 'copy' | 'arrays'> & Pick<KeyOptions, 'random'>

type Arrays = { readonly arrays: true }

type FunctionOptions<R, Into> = Omit<StampOptions<R>, 'random'> & Pick<KeyOptions, 'existing'> & { readonly into: Into }

/**
 * A stream that writes a key into every object that flows through it. A chunk is a record, or an array of records, which costs far less.
 * The types flow on: a plan that names a field the record lacks does not compile, and what comes out has the key.
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
// oxlint-disable-next-line no-explicit-any -- `any` is the record type that nothing is known of, as with createPlan
export function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options: StampOptions<R> & Arrays
): StampArraysStream<R, WithKey<R, D>>
// oxlint-disable-next-line no-explicit-any -- as above
export function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampOptions<R>
): StampStream<R, WithKey<R, D>>
export function stamp(source: KeySource<never>, options: StampOptions = {}): unknown {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...STREAM_OPTIONS, 'copy', 'arrays'])
  const stamper = toKeyStamper(source, options)
  const { copy = false, arrays = false } = options
  const look = options.highWaterMark === undefined ? limitWaiting(() => stream) : undefined
  const stream: StageTransform = createTransform(
    (reject) => createRecordStage(stamper, { ...reject, copy, arrays, ...(look && { look }) }),
    options,
    true
  )
  return stream
}
