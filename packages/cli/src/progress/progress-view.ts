import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'

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
  /** Progress as a bar and text, no wider than the terminal. */
  readonly bar: (progress: Progress, columns: number) => string
}

const BAR_EVERY_MS = 200
const LINE_EVERY_MS = 1000
const ERASE_LINE = '\r\u001b[K'

/**
 * Creates the view that `--progress` names. Default: a bar on a terminal, but no progress in a pipe, or if the output
 * itself goes to the terminal.
 */
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

/** A piece of a progress line. If not all pieces fit, those of the highest rank are left out first. */
export type Piece = readonly [rank: number, text: string]

/** Rank of the bar: pieces of a higher rank are left out before it. */
const BAR_RANK = 4

/** All pieces in a line, without a bar. */
export function wholeLine(pieces: readonly Piece[]): string {
  return pieces.map(([, text]) => text).join(GAP)
}

/** A bar and as many pieces as fit into the columns of a terminal. Without a share there is no bar. */
export function fitLine(pieces: readonly Piece[], share: number | undefined, columns: number): string {
  // a line that ends in the last column would wrap on some terminals
  const room = Math.max(10, columns - 1)
  const wanted = share === undefined ? pieces : [...pieces, [BAR_RANK, MIN_BAR] as Piece]
  const ranks = wanted.map(([rank]) => rank).toSorted((a, b) => a - b)
  const maxRank =
    ranks.findLast((rank) => wholeLine(wanted.filter((piece) => piece[0] <= rank)).length <= room) ?? ranks[0]
  const line = wholeLine(pieces.filter(([rank]) => rank <= maxRank)).slice(0, room)
  if (share === undefined || maxRank < BAR_RANK) return line
  const width = Math.min(MAX_BAR, room - line.length - GAP.length)
  return `${'█'.repeat(Math.round(share * width)).padEnd(width, '░')}${GAP}${line}`
}

const GAP = '  '
const MIN_BAR = ' '.repeat(10)
const MAX_BAR = 30
