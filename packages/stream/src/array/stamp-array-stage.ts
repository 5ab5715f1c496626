import { checkOptionNames } from '@keystamp/core/internal'
import { driveBytes } from '../bytes/drive-bytes.ts'
import { ARRAY_OPTIONS, BYTES_OPTIONS, KEY_OPTIONS, REJECT_OPTIONS } from '../flow/option-names.ts'
import { createStage, type Stage } from '../flow/stage.ts'
import type { KeyOptions, KeySource } from '../key/key-source.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import type { ArrayOptions } from './array-options.ts'
import { createElementStage } from './create-element-stage.ts'

/** `stampArray` without a stream: a function of chunks of bytes, and `end` for what is left. */
// oxlint-disable-next-line no-explicit-any -- a key function says itself what it takes
export function stampArrayStage<R = any>(
  source: KeySource<R>,
  options: ArrayOptions & KeyOptions = {}
): Stage<Uint8Array | string, Buffer> {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS])
  return createStage(driveBytes(createElementStage(toKeyStamper(source, options), options)))
}
