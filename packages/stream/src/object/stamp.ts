import type { Plan, PlanDefinition, WithKey } from '@keystamp/core'
import { checkOptions, KEY_OPTIONS, REJECT_OPTIONS, STREAM_OPTIONS } from '../flow/check-options.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import type { StreamOptions } from '../flow/stream-options.ts'
import type { KeyFunction, KeyOptions, KeySource } from '../key/key-source.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import type { WithText } from './with-text.ts'
import { createRecordStage, type RecordStageOptions } from './record-stage.ts'

/** A stream that takes records, or arrays of them, and gives them back with their keys. */
export interface StampStream<In, Out> extends StageTransform {
  write(chunk: Chunk<In>, callback?: Written): boolean
  write(chunk: Chunk<In>, encoding: BufferEncoding, callback?: Written): boolean
  // Node's types let only what may give bytes stand inside a pipeline; its last stage learns the type from the last line
  // oxlint-disable-next-line no-explicit-any -- see above
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  toArray(options?: { readonly signal?: AbortSignal }): Promise<Out[]>
}

// bytes and text are here only because whatever can be piped to must declare them
type Chunk<In> = In | readonly In[] | Uint8Array | string

type Written = (error?: Error | null) => void

/** What `stamp` can be told. */
export type StampOptions<R = unknown> = StreamOptions<R> & Pick<RecordStageOptions<R>, 'copy'> & Pick<KeyOptions, 'random'>

type FunctionOptions<R, Into> = Omit<StampOptions<R>, 'random'> & Pick<KeyOptions, 'existing'> & { readonly into: Into }

/**
 * A stream that writes a key into every object that flows through it. A chunk is a record, or an array of records, which costs far less.
 * The types flow on: a plan that names a field the record lacks does not compile, and what comes out has the key.
 */
export function stamp<R, D>(plan: Plan<R, D>, options?: StampOptions<R>): StampStream<R, WithKey<R, D>>
export function stamp<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into>
): StampStream<R, WithText<R, Into>>
// oxlint-disable-next-line no-explicit-any -- `any` is the record type that nothing is known of, as with createPlan
export function stamp<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: D,
  options?: StampOptions<R>
): StampStream<R, WithKey<R, D>>
export function stamp(source: KeySource<never>, options: object = {}): unknown {
  checkOptions(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...STREAM_OPTIONS, 'copy'])
  const stamper = toKeyStamper(source, options)
  return createTransform((reject) => createRecordStage(stamper, { ...options, ...reject }), options, true)
}
