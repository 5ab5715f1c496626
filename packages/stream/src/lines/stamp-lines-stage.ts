import { checkOptionNames } from '@keystamp/core/internal'
import type { BytesOptions } from '../bytes/bytes-options.ts'
import { driveBytes } from '../bytes/drive-bytes.ts'
import { BYTES_OPTIONS, KEY_OPTIONS, REJECT_OPTIONS } from '../flow/option-names.ts'
import { createStage, type Stage } from '../flow/stage.ts'
import type { KeyOptions, KeySource } from '../key/key-source.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createLineStage } from './line-stage.ts'

/** `stampLines` without a stream: a function of chunks of bytes, and `end` for the last line. */
// oxlint-disable-next-line no-explicit-any -- a key function says itself what it takes
export function stampLinesStage<R = any>(
  source: KeySource<R>,
  options: BytesOptions & KeyOptions = {}
): Stage<Uint8Array | string, Buffer> {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS])
  return createStage(driveBytes(createLineStage(toKeyStamper(source, options), options)))
}
