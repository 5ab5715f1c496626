import { finished, type Writable } from 'node:stream'
import { type Rejected, rejectedLine } from './rejected.ts'

/**
 * Writes rejected records to a side stream, and respects its back pressure. The side stream ends together with the
 * stage.
 */
export interface Collector {
  readonly collect: (rejected: Rejected) => void
  /** Calls `resume` at once, or when the side stream has drained. */
  readonly whenReady: (resume: () => void) => void
  /** Ends the side stream, and calls `resume` when everything is written. */
  readonly finish: (resume: () => void) => void
  /** Ends the side stream without waiting. Does not destroy it, because the collected records may still be useful. */
  readonly abandon: () => void
}

/** Creates a collector. It calls `fail` at most once: when the side stream fails or closes too early. */
export function createCollector(side: Writable, fail: (error: Error) => void): Collector {
  let waiting: (() => void) | undefined
  let isEnding = false
  const resumeWaiting = (): void => {
    const resume = waiting
    waiting = undefined
    resume?.()
  }
  const stopWatching = finished(side, { readable: false }, (error) => {
    stopWatching()
    side.removeListener('drain', resumeWaiting)
    if (error) fail(error)
    else if (isEnding) resumeWaiting()
    else fail(new Error('The side stream for rejected records was closed while records were still to come.'))
  })
  side.on('drain', resumeWaiting)

  return {
    collect: (rejected) => {
      side.write(side.writableObjectMode ? rejected : rejectedLine(rejected))
    },
    whenReady: (resume) => {
      if (!side.writableNeedDrain) return resume()
      waiting = resume
    },
    finish: (resume) => {
      isEnding = true
      if (isStandard(side)) return release(resume)
      waiting = resume
      side.end()
    },
    abandon: () => {
      isEnding = true
      waiting = undefined
      if (isStandard(side)) release(() => {})
      else if (!side.writableEnded && !side.destroyed) side.end()
    }
  }

  function release(resume: () => void): void {
    stopWatching()
    side.removeListener('drain', resumeWaiting)
    resume()
  }
}

// standard output and error belong to the process and cannot be closed
function isStandard(side: Writable): boolean {
  return side === process.stdout || side === process.stderr
}
