import type { FileProgress } from '@keystamp/stream'
import type { Surroundings } from '../surroundings.ts'
import { UsageError } from '../usage-error.ts'
import { barOf, lineOf } from './progress-line.ts'

/** Shows how far the work is. */
export interface ProgressView {
  readonly everyMs: number
  readonly show: (progress: FileProgress) => void
  /** Takes the bar away again. */
  readonly clear: () => void
}

/** Chooses by `--progress`; without it a bar on a terminal and nothing in a pipe. Undefined where nothing is to be shown. */
export function createProgressView(
  kind: string | undefined,
  stderr: Surroundings['stderr'],
  isOutputOnTerminal: boolean
): ProgressView | undefined {
  const chosen = kind ?? (stderr.isTTY === true && !isOutputOnTerminal ? 'bar' : 'none')
  if (chosen === 'none') return undefined
  if (chosen === 'plain') return { everyMs: 1000, show: (progress) => stderr.write(`${lineOf(progress)}\n`), clear: () => {} }
  if (chosen === 'bar') return createBar(stderr)
  throw new UsageError(`--progress takes bar, plain or none, not "${chosen}".`)
}

const ERASE_LINE = '\r\u001b[K'

function createBar(stderr: Surroundings['stderr']): ProgressView {
  return {
    everyMs: 200,
    show: (progress) => stderr.write(`${ERASE_LINE}${barOf(progress, stderr.columns ?? 80)}`),
    clear: () => stderr.write(ERASE_LINE)
  }
}
