/** A piece of a progress line. Where not all fit, those of the highest rank are left out first. */
export type Piece = readonly [rank: number, text: string]

/** Rank of the bar: what has a higher one gives way to it. */
const BAR_RANK = 4

/** All pieces in a line, without a bar. */
export function wholeLine(pieces: readonly Piece[]): string {
  return pieces.map(([, text]) => text).join(GAP)
}

/** A bar and as many pieces as fit into a terminal that is so wide. Without a share there is no bar. */
export function fitLine(pieces: readonly Piece[], share: number | undefined, columns: number): string {
  // a line that ends in the last column would wrap on some terminals
  const room = Math.max(10, columns - 1)
  const wanted = share === undefined ? pieces : [...pieces, [BAR_RANK, LEAST_BAR] as Piece]
  const ranks = wanted.map(([rank]) => rank).toSorted((a, b) => a - b)
  const most = ranks.findLast((rank) => wholeLine(wanted.filter((piece) => piece[0] <= rank)).length <= room) ?? ranks[0]
  const line = wholeLine(pieces.filter(([rank]) => rank <= most)).slice(0, room)
  if (share === undefined || most < BAR_RANK) return line
  const width = Math.min(MOST_BAR, room - line.length - GAP.length)
  return `${'█'.repeat(Math.round(share * width)).padEnd(width, '░')}${GAP}${line}`
}

const GAP = '  '
const LEAST_BAR = ' '.repeat(10)
const MOST_BAR = 30
