import { BEGINNING, type CheckpointFile, type InputPosition } from '@keystamp/files/internal'
import type { RejectedRecords } from './rejected-records.ts'
import type { LoadCounts, RecordWriting } from './write-records.ts'

/** Stores the position of a load in its checkpoint once a second. */
export interface ProgressSaving {
  /**
   * Resolves when a file of rejected records may be created: after the first checkpoint. Without a checkpoint, a load
   * that was killed could not append to that file.
   */
  readonly beforeReject: () => Promise<void>
  /**
   * Removes the checkpoint if the load is complete; otherwise stores the last position. Resolves with true if a
   * checkpoint remains.
   */
  readonly end: (isComplete: boolean) => Promise<boolean>
}

/** Parts of a load that are saved together. */
export interface SavingOptions {
  readonly writing: Pick<RecordWriting, 'position' | 'counts' | 'stop'>
  readonly checkpoint: CheckpointFile | undefined
  readonly begin: InputPosition
  readonly rejects: Pick<RejectedRecords, 'sync'>
  /** True if rejected records are written to a file. */
  readonly isCollecting: boolean
}

const SAVE_MS = 1000

/** Starts to save. Without a checkpoint, it only flushes the file of rejected records at the end. */
export function saveProgress({ writing, checkpoint, begin, rejects, isCollecting }: SavingOptions): ProgressSaving {
  if (checkpoint === undefined)
    return { beforeReject: () => Promise.resolve(), end: () => rejects.sync().then(() => false) }
  let saving: Promise<void> = Promise.resolve()
  let first: Promise<void> | undefined = begin === BEGINNING && isCollecting ? undefined : saving
  const timer = setInterval(() => void saveNext(), SAVE_MS)
  return {
    beforeReject: () => (first ??= saveNext()),
    end: async (isComplete) => {
      clearInterval(timer)
      await saving
      // a load without any outcome leaves no checkpoint
      const isUntouched = begin === BEGINNING && !hasOutcomes(writing.counts) && !(isCollecting && first !== undefined)
      if (!isComplete && !isUntouched) return save(checkpoint).then(() => true)
      await rejects.sync()
      await checkpoint.remove()
      return false
    }
  }

  function saveNext(): Promise<void> {
    saving = saving.then(() => save(checkpoint!)).catch(writing.stop)
    return saving
  }

  async function save(file: CheckpointFile): Promise<void> {
    const position = writing.position()
    // the file must contain all rejected records before the position, so it is flushed before the checkpoint is stored
    await rejects.sync()
    await file.write(position)
  }
}

function hasOutcomes({ written, unchanged, rejected }: LoadCounts): boolean {
  return written + unchanged + rejected > 0
}
