import type { LogFile } from './log-file.ts'
import { newTurn, type Turn } from './turn.ts'

/**
 * Waits until the disk has the bytes of a log. While the disk works for one group of changes, the next group collects, so
 * that many requests share one wait.
 */
export class SyncGroup {
  #next: Turn | undefined = undefined
  #isRunning = false
  #file: LogFile | undefined = undefined

  /** Resolves once the disk has all bytes that were written before this call. */
  written(file: LogFile): Promise<void> {
    this.#next ??= newTurn()
    const { written } = this.#next
    this.#file = file
    if (!this.#isRunning) this.#run(file)
    return written
  }

  #run(file: LogFile): void {
    const turn = this.#next!
    this.#next = undefined
    this.#isRunning = true
    file.syncLater((error) => {
      this.#isRunning = false
      if (error === null) turn.resolve()
      else turn.reject(error)
      if (this.#next !== undefined) this.#run(this.#file ?? file)
    })
  }
}
