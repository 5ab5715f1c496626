import { KeystampError } from '@keystamp/core'
import type { FeedRange } from '../containers/move-container.ts'
import type { RangePosition } from './journal.ts'

/**
 * Replaces the positions of the ranges that overlap with new ones, and keeps the others. The new ranges of one entry
 * cover every range that they replace: otherwise a part of the container would never be read.
 */
export function replacePositions(
  before: readonly RangePosition[],
  added: readonly RangePosition[]
): readonly RangePosition[] {
  const sorted = added.toSorted((a, b) => compareText(a.range.min, b.range.min))
  checkDistinct(sorted)
  const kept: RangePosition[] = []
  for (const position of before) {
    const covers = sorted.filter(({ range }) => overlap(range, position.range))
    if (covers.length === 0) kept.push(position)
    else checkCovered(position.range, covers)
  }
  return [...kept, ...sorted].toSorted((a, b) => compareText(a.range.min, b.range.min))
}

/** Whether ranges cover a whole container, each key once. */
export function isWhole(positions: readonly Pick<RangePosition, 'range'>[]): boolean {
  let end = ''
  for (const { range } of positions.toSorted((a, b) => (a.range.min < b.range.min ? -1 : 1))) {
    if (range.min !== end) return false
    end = range.max
  }
  return end === 'FF'
}

function checkDistinct(sorted: readonly RangePosition[]): void {
  for (const [index, { range }] of sorted.entries()) {
    if (range.min >= range.max) throw broken(`the range ${textOf(range)} is empty`)
    const next = sorted[index + 1]
    if (next !== undefined && overlap(range, next.range))
      throw broken(`the ranges ${textOf(range)} and ${textOf(next.range)} of one entry overlap`)
  }
}

/** `covers`: sorted. */
function checkCovered(range: FeedRange, covers: readonly RangePosition[]): void {
  let end = range.min
  for (const cover of covers) {
    if (cover.range.min > end) break
    end = cover.range.max
  }
  if (end < range.max)
    throw broken(`an entry replaces the range ${textOf(range)} only in part, so that the rest has no position`)
}

function overlap(a: FeedRange, b: FeedRange): boolean {
  return a.min < b.max && b.min < a.max
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function textOf({ min, max }: FeedRange): string {
  return `[${min}, ${max})`
}

function broken(what: string): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', `The journal of a move refuses an entry: ${what}.`)
}
