import { checkOptionNames } from '@keystamp/core/internal'
import type { BytesOptions } from '../bytes/bytes-options.ts'
import { driveBytes } from '../bytes/drive-bytes.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import { createStage, type Stage } from '../flow/stage.ts'
import {
  BYTES_OPTIONS,
  KEY_OPTIONS,
  REJECT_OPTIONS,
  STREAM_OPTIONS,
  type StreamOptions
} from '../flow/stream-options.ts'
import type { KeyOptions, KeySource } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createLineStage } from './line-stage.ts'

/** Options of `stampLines`; `into` and `existing` belong to a key function. */
export type StampLinesOptions = StreamOptions<string> & Pick<BytesOptions, 'maxRecordBytes'> & KeyOptions

/**
 * Creates a stream for lines of JSON: every record gets its key, and its other bytes stay unchanged. Accepts chunks
 * that end anywhere, CRLF, blank lines, a byte order mark and a missing last line end. Rejects invalid JSON with its
 * line number.
 */
// oxlint-disable-next-line no-explicit-any -- a key function declares its own record type
export function stampLines<R = any>(source: KeySource<R>, options: StampLinesOptions = {}): StageTransform {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...STREAM_OPTIONS])
  const stamper = toKeyStamper(source, options)
  return createTransform<string>(
    (reject) => driveBytes(createLineStage(stamper, { ...reject, maxRecordBytes: options.maxRecordBytes })),
    options,
    false
  )
}

/**
 * `stampLines` without a stream: a function that takes chunks of bytes; its method `end` returns the remaining output.
 */
// oxlint-disable-next-line no-explicit-any -- a key function declares its own record type
export function stampLinesStage<R = any>(
  source: KeySource<R>,
  options: BytesOptions & KeyOptions = {}
): Stage<Uint8Array | string, Buffer> {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS])
  return createStage(driveBytes(createLineStage(toKeyStamper(source, options), options)))
}
