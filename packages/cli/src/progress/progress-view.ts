import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../usage-error.ts'

/** Shows the progress of a command. */
export interface ProgressView<Progress> {
  readonly everyMs: number
  readonly show: (progress: Progress) => void
  /** Removes the bar. */
  readonly clear: () => void
}

/** How a command writes its progress. */
export interface ProgressText<Progress> {
  readonly line: (progress: Progress) => string
  /** A bar and the line, no wider than a terminal. */
  readonly bar: (progress: Progress, columns: number) => string
}

const BAR_EVERY_MS = 200
const LINE_EVERY_MS = 1000
const ERASE_LINE = '\r\u001b[K'

/** Chooses by `--progress`; without it a bar on a terminal, and nothing in a pipe or where the output itself is on the terminal. */
export function createProgressView<Progress>(
  kind: string | undefined,
  { line, bar }: ProgressText<Progress>,
  { stderr, isOutputOnTerminal = false }: Pick<Dependencies, 'stderr'> & { readonly isOutputOnTerminal?: boolean }
): ProgressView<Progress> | undefined {
  switch (kind ?? (stderr.isTTY === true && !isOutputOnTerminal ? 'bar' : 'none')) {
    case 'none':
      return undefined
    case 'plain':
      return { everyMs: LINE_EVERY_MS, show: (progress) => stderr.write(`${line(progress)}\n`), clear: () => {} }
    case 'bar':
      return {
        everyMs: BAR_EVERY_MS,
        show: (progress) => stderr.write(`${ERASE_LINE}${bar(progress, stderr.columns ?? 80)}`),
        clear: () => stderr.write(ERASE_LINE)
      }
    default:
      throw new UsageError(`--progress takes bar, plain or none, not "${kind}".`)
  }
}
