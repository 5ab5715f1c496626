import type { BytesStage } from '../bytes/drive-bytes.ts'
import type { Allocate } from '../bytes/workbench.ts'
import type { KeyStamper } from '../key/key-stamper.ts'
import type { ArrayOptions } from '../bytes/bytes-options.ts'
import { createArrayStage } from './array-stage.ts'
import { createPickStage } from './pick-stage.ts'

/** The stage for an array: by its bytes where it is the whole document, through a parser where it stands inside. */
export function createElementStage(stamper: KeyStamper, options: ArrayOptions, allocate?: Allocate): BytesStage {
  const { pick } = options
  return pick === undefined ? createArrayStage(stamper, options, allocate) : createPickStage(stamper, { ...options, pick }, allocate)
}
