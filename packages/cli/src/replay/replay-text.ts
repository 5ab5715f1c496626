import { type Replay, REPLAY_CODES, type ReplayCode, type ReplayResult } from '@keystamp/connector'
import { formatCount } from '@keystamp/planner'

/** A replay that the command shows and runs. */
export interface ShownReplay extends Replay {
  readonly noun: 'dead letter' | 'rejected record'
  readonly isDryRun: boolean
}

/** Lines about the dead letters that were read, and what a replay does with them. */
export function describeFound({ counts, by, noun, isDryRun }: Omit<ShownReplay, 'run' | 'close'>): string {
  const matched = sumOf(counts.matched)
  const others = [
    ...part(counts.replayedBefore, 'replayed before'),
    ...part(counts.leftOut, 'left out by the filters'),
    ...part(counts.ofOthers, 'of other sinks')
  ]
  return [
    `${plural(counts.read, noun)} read, ${matched === 0 ? 'none matches' : `${formatCount(matched)} to replay`}${others.length === 0 ? '' : ` (${others.join(', ')})`}.`,
    ...linesOf(counts.matched),
    ...(matched === 0 ? [] : [HOW[by]]),
    ...describeRefused(counts.refused),
    ...(counts.firstInvalid === undefined ? [] : [`  the first invalid one: ${counts.firstInvalid}`]),
    ...(isDryRun ? ['Nothing was written.'] : []),
    ''
  ].join('\n')
}

const HOW = {
  newest: 'Each is stored only if it is newer than the stored document.',
  offset:
    'Each is stored only if its offset is higher than that of the stored document, in the same topic and partition.',
  create: 'Each is stored only if its document does not exist.'
}

/** Lines about the outcome. */
export function describeResult({ stored, kept, ignored, rejected, messages, refused, open }: ReplayResult): string {
  const outcomes = [
    `${formatCount(stored)} stored`,
    ...part(kept, 'not stored, because the stored document stays'),
    ...part(ignored, 'ignored'),
    ...part(open, 'without an outcome')
  ]
  const again = sumOf(rejected)
  return [
    `${outcomes.join(', ')}.`,
    ...(again === 0 ? [] : [`${formatCount(again)} rejected again:`]),
    ...Array.from(rejected, ([code, count]) => `  ${formatCount(count)} x ${code}: ${messages.get(code) ?? ''}`),
    ...describeRefused(refused),
    ''
  ].join('\n')
}

function describeRefused(refused: ReadonlyMap<ReplayCode, number>): readonly string[] {
  if (refused.size === 0) return []
  return [
    `${formatCount(sumOf(refused))} cannot be replayed:`,
    ...Array.from(refused, ([code, count]) => `  ${formatCount(count)} x ${code}: ${REPLAY_CODES[code].sentence}`)
  ]
}

/** Result as JSON; `result` is undefined if nothing was written. */
export function toJson({ counts, by }: Pick<Replay, 'counts' | 'by'>, result: ReplayResult | undefined): string {
  const { read, ofOthers, leftOut, replayedBefore, matched, refused, firstInvalid } = counts
  const found = {
    read,
    ofOthers,
    leftOut,
    replayedBefore,
    matched: Object.fromEntries(matched),
    refused: Object.fromEntries(refused),
    firstInvalid: firstInvalid ?? null,
    by
  }
  if (result === undefined) return `${JSON.stringify({ ...found, result: null })}\n`
  const { messages: _messages, rejected, refused: late, ...numbers } = result
  const outcome = { ...numbers, rejected: Object.fromEntries(rejected), refused: Object.fromEntries(late) }
  return `${JSON.stringify({ ...found, result: outcome })}\n`
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

function part(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${what}`]
}

function linesOf(counts: ReadonlyMap<string, number>): readonly string[] {
  return Array.from(counts, ([code, count]) => `  ${formatCount(count)} x ${code}`)
}
