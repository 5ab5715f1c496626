import type { DefinitionOf, Plan, PlanDefinition, WithKey } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import { createStage, type StageHandle } from '../flow/stage.ts'
import { KEY_OPTIONS, REJECT_OPTIONS } from '../flow/stream-options.ts'
import type { KeyFunction, KeyOptions, KeySource } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createRecordStage, type RecordStageOptions } from './record-stage.ts'

/** Options of `stampStage`. */
export type StampStageOptions<R = unknown> = Omit<RecordStageOptions<R>, 'arrays'> & Pick<KeyOptions, 'random'>

type FunctionOptions<R, Into> = Omit<RecordStageOptions<R>, 'arrays'> &
  Pick<KeyOptions, 'existing'> & { readonly into: Into }

/** `stamp` without a stream: a function that writes a key into a record, or into each record of an array. */
export function stampStage<R, D>(plan: Plan<R, D>, options?: StampStageOptions<R>): RecordFunction<R, WithKey<R, D>>
export function stampStage<R, const Into extends string>(
  key: KeyFunction<R>,
  options: FunctionOptions<R, Into>
): RecordFunction<R, WithText<R, Into>>
// oxlint-disable-next-line no-explicit-any -- `any` is the unknown record type, as in createPlan
export function stampStage<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: StampStageOptions<R>
): RecordFunction<R, WithKey<R, D>>
export function stampStage(source: KeySource<never>, options: object = {}): unknown {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, 'copy'])
  return createStage(createRecordStage(toKeyStamper(source, options), options))
}

/** Takes a record, and returns it with its key; or takes an array of records, and returns an array. */
export interface RecordFunction<In, Out> extends StageHandle<Out> {
  (records: readonly In[]): Out[] | undefined
  (record: In): Out | undefined
}

/**
 * Adds a string property to a record type. `Into` is a JSON pointer to a top-level property; a deeper pointer leaves
 * the type unchanged.
 */
export type WithText<R, Into extends string> = string extends Into
  ? R
  : Into extends `/${infer Name}`
    ? Name extends `${string}/${string}`
      ? R
      : R & { [Each in Name]: string }
    : R
