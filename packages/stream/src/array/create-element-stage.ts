import type { BytesStage } from '../bytes/drive-bytes.ts'
import type { Allocate } from '../bytes/workbench.ts'
import type { KeyStamper } from '../key/key-stamper.ts'
import type { ArrayOptions } from '../bytes/bytes-options.ts'
import { createArrayStage } from './array-stage.ts'
import { createPickStage } from './pick-stage.ts'

/** Creates the stage for an array: scans bytes where the array is the whole document, and uses a parser where it is inside a document. */
export function createElementStage(stamper: KeyStamper, options: ArrayOptions, allocate?: Allocate): BytesStage {
  const { pick } = options
  return pick === undefined ? createArrayStage(stamper, options, allocate) : createPickStage(stamper, { ...options, pick }, allocate)
}
