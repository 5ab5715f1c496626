import type { OpenMoveStatus } from '@keystamp/move'
import { fitLine, type Piece, wholeLine } from '../progress/progress-view.ts'
import { countOf, countText, durationText } from '../progress/units.ts'

/** Progress of a move as a bar and text, no wider than the terminal: what matters least is left out first. */
export function barOfMove(status: OpenMoveStatus, columns: number): string {
  return fitLine(piecesOf(status), shareOf(status), columns)
}

/** Progress of a move as a line of text. */
export function lineOfMove(status: OpenMoveStatus): string {
  return wholeLine(piecesOf(status))
}

// the bar has rank 4
function piecesOf(status: OpenMoveStatus): readonly Piece[] {
  const { phase, copy, lagSeconds, progress, waits, part, rejected } = status
  const { secondsLeft, documentsPerSecond } = progress
  const share = shareOf(status)
  const rate = Math.round(documentsPerSecond)
  return [
    [0, share === undefined ? phase : `${phase} ${copiedText(share, progress)}`],
    ...waits.slice(0, 1).map(({ reason, since }): Piece => [1, `waits since ${since.slice(11, 19)}: ${WAITS[reason]}`]),
    ...(progress.comparison === null ? [] : [[2, comparedText(progress)] as const]),
    ...(phase === 'copy' && share === undefined ? [[2, countOf(progress.copied, 'document')] as const] : []),
    ...(secondsLeft === null ? [] : [[2.2, `${durationText(secondsLeft)} left`] as const]),
    ...(lagSeconds === undefined || phase === 'copy' ? [] : [[2.2, `lag ${lagSeconds.toFixed(1)} s`] as const]),
    ...(rejected === 0 ? [] : [[2.4, `${countText(rejected)} rejected`] as const]),
    ...(copy === undefined ? [] : [[3.2, rangesText(copy)] as const]),
    ...(part < 1 ? [[3.4, `${Math.round(part * 100)} % of the share`] as const] : []),
    ...(copy === undefined ? [] : throughputPieces(progress)),
    ...(rate === 0 ? [] : [[6, `${countText(rate)} documents/s`] as const])
  ]
}

const WAITS: Readonly<Record<OpenMoveStatus['waits'][number]['reason'], string>> = {
  source: 'the source does not answer',
  target: 'the target does not answer',
  source_share: 'share of the source is used up',
  target_share: 'share of the target is used up',
  pause: 'the file `pause`',
  postpone: 'the file `postpone`',
  processes: 'other processes'
}

/** Share of the documents that are copied; undefined in other phases than `copy`, or if their number is not known. */
function shareOf({ phase, progress: { copied, documents } }: OpenMoveStatus): number | undefined {
  if (phase !== 'copy' || documents === null) return undefined
  // a document that changes meanwhile counts again, so the copy may go on
  return documents === 0 ? 1 : Math.min(0.99, copied / documents)
}

function copiedText(share: number, { documents }: OpenMoveStatus['progress']): string {
  return `${Math.floor(share * 100)} % of ${countOf(documents ?? 0, 'document')}`
}

function comparedText({ comparison, documents }: OpenMoveStatus['progress']): string {
  const { phase, documents: read, waiting } = comparison!
  if (phase === 'settling') return `comparing: ${countText(waiting)} differ`
  // of both containers
  const all = documents === null ? '' : `/${countText(Math.max(read, 2 * documents))}`
  return `comparing: ${countText(read)}${all} documents`
}

function rangesText({ ranges }: NonNullable<OpenMoveStatus['copy']>): string {
  return `${ranges.filter(({ isCopied }) => isCopied).length}/${ranges.length} ranges`
}

/** RU/s of both containers, and what may be used of them: first the one that limits the move. */
function throughputPieces({ ruPerSecond, shareRuPerSecond }: OpenMoveStatus['progress']): readonly Piece[] {
  const sides = (['from', 'to'] as const).map((side) => {
    const [used, share] = [ruPerSecond[side], shareRuPerSecond[side]]
    const of = share === null ? '' : `/${countText(Math.round(share))}`
    const text = `${side === 'from' ? 'source' : 'target'} ${countText(Math.round(used))}${of} RU/s`
    return { text, part: share === null ? 0 : used / share }
  })
  const [first, second] = sides.toSorted((one, other) => other.part - one.part)
  return [
    [3, first.text],
    [5, second.text]
  ]
}
