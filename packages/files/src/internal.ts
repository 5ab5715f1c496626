import type { createBlockStamper } from './stamp/threads/stamp-blocks.ts'

// Parts for `@keystamp/load`, and for the thread of `stampFiles`. Not public: they change without notice, and without a line in CHANGELOG.md.
export {
  type CheckpointFile,
  createCheckpointFile,
  type LoadIdentity,
  type Resumption
} from './checkpoint/checkpoint.ts'
export { codecOf } from './inputs/codec.ts'
export { describeInputs, findInputs, type InputFile } from './inputs/find-inputs.ts'
export { formOf, isReadFromBeginning, readInput, type ReadFormat } from './inputs/read-input.ts'
export { BEGINNING, type InputLine, type InputPosition } from './inputs/read-lines.ts'
export { openRejectFile, type RejectedLine } from './reject-file.ts'
export { sampleRecords, type SampleRecordsOptions } from './inputs/sample-records.ts'

/** Loads the work of a thread, which the other users of this module do not need. */
export async function loadBlockStamper(): Promise<{ readonly createBlockStamper: typeof createBlockStamper }> {
  return import('./stamp/threads/stamp-blocks.ts')
}
