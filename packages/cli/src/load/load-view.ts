import type { Surroundings } from '../surroundings.ts'
import { UsageError } from '../usage-error.ts'
import { barOfLoad, lineOfLoad, type LoadProgress } from './progress-line.ts'

/** Shows how far a load is. */
export interface LoadView {
  readonly everyMs: number
  readonly show: (progress: LoadProgress) => void
  /** Takes the bar away again. */
  readonly clear: () => void
}

const ERASE_LINE = '\r\u001B[K'

/** Chooses by `--progress`; without it a bar on a terminal and nothing in a pipe. */
export function createLoadView(kind: string | undefined, stderr: Surroundings['stderr']): LoadView | undefined {
  switch (kind ?? (stderr.isTTY === true ? 'bar' : 'none')) {
    case 'none':
      return undefined
    case 'plain':
      return { everyMs: 1000, show: (progress) => stderr.write(`${lineOfLoad(progress)}\n`), clear: () => {} }
    case 'bar':
      return {
        everyMs: 250,
        show: (progress) => stderr.write(`${ERASE_LINE}${barOfLoad(progress, stderr.columns ?? 80)}`),
        clear: () => stderr.write(ERASE_LINE)
      }
    default:
      throw new UsageError(`--progress takes bar, plain or none, not "${kind}".`)
  }
}
