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
  write(chunk: In | readonly In[], callback?: (error: Error | null | undefined) => void): boolean
  write(chunk: In | readonly In[], encoding: BufferEncoding, callback?: (error: Error | null | undefined) => void): boolean
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
}

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
