import { checkOptionNames } from '@keystamp/core/internal'
import type { ArrayOptions } from '../bytes/bytes-options.ts'
import { driveBytes } from '../bytes/drive-bytes.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import { createStage, type Stage } from '../flow/stage.ts'
import {
  ARRAY_OPTIONS,
  BYTES_OPTIONS,
  KEY_OPTIONS,
  REJECT_OPTIONS,
  STREAM_OPTIONS,
  type StreamOptions
} from '../flow/stream-options.ts'
import type { KeyOptions, KeySource } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createElementStage } from './pick-stage.ts'

/** Options of `stampArray`; `into` and `existing` belong to a key function. */
export type StampArrayOptions = StreamOptions<string> &
  Pick<ArrayOptions, 'maxRecordBytes' | 'to' | 'pick'> &
  KeyOptions

/**
 * Creates a stream that reads one JSON array of any size and gives every element its key. It writes lines of JSON, or a
 * JSON array.
 */
// oxlint-disable-next-line no-explicit-any -- a key function declares its own record type
export function stampArray<R = any>(source: KeySource<R>, options: StampArrayOptions = {}): StageTransform {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS, ...STREAM_OPTIONS])
  const stamper = toKeyStamper(source, options)
  const { maxRecordBytes, to, pick } = options
  return createTransform<string>(
    (reject) => driveBytes(createElementStage(stamper, { ...reject, maxRecordBytes, to, pick })),
    options,
    false
  )
}

/**
 * `stampArray` without a stream: a function that takes chunks of bytes; its method `end` returns the remaining output.
 */
// oxlint-disable-next-line no-explicit-any -- a key function declares its own record type
export function stampArrayStage<R = any>(
  source: KeySource<R>,
  options: ArrayOptions & KeyOptions = {}
): Stage<Uint8Array | string, Buffer> {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS])
  return createStage(driveBytes(createElementStage(toKeyStamper(source, options), options)))
}
