import { type CheckContext, type CheckRule, finding } from './check-rule.ts'
import type { CheckFinding, TtlPromise } from './move-check.ts'
import { type MoveFacts, valueOf } from './move-facts.ts'
import { durationText, percentText, plural } from './quantity.ts'

const SECONDS_PER_DAY = 86_400
/** Data that expires within this time need not be moved. */
const SHORT_LIFE_SECONDS = 14 * SECONDS_PER_DAY

/** Findings about the time to live. */
export const LIFE_RULES: readonly CheckRule[] = [written, restarts, expiresFirst, letExpire]

/** Says what the copy does with the time to live. */
export function promiseOfTtl(context: CheckContext): TtlPromise {
  const { facts } = context
  const found = valueOf(facts.sample)
  const { defaultTtl } = facts.source.definition
  const sentence =
    defaultTtl === undefined
      ? 'The source has no DefaultTimeToLive: nothing expires, and the copies keep their members.'
      : facts.options.ttl === 'restart'
        ? 'Copies keep `ttl` as it is, so the life of a document begins again with its copy.'
        : 'Copies of documents that expire get the seconds that are left as `ttl`, which the way back removes. Documents with at most 60 seconds left are not copied.'
  return {
    sentence,
    shortened: found === undefined ? null : isWritten(facts) ? found.mortal - found.expiring : 0,
    daysUntilExpired: daysUntilExpired(context)
  }
}

function isWritten({ source, options }: MoveFacts): boolean {
  return options.ttl === 'remaining' && source.definition.defaultTtl !== undefined
}

function written({ facts }: CheckContext): CheckFinding | undefined {
  const found = valueOf(facts.sample)
  if (!isWritten(facts) || found === undefined) return undefined
  const copied = found.mortal - found.expiring
  if (copied === 0) return undefined
  return finding(
    'ttl-written',
    'needs confirmation',
    `The copies of ${percentText(copied / found.documents)} of the sample get a shorter \`ttl\`, ${plural(found.inherited, 'document')} without one before: an application that updates such a copy in the target without writing \`ttl\` keeps the short one.`,
    'Confirm that updates write `ttl` or replace the whole document, or add --ttl restart, which begins the life of the copies again.'
  )
}

function restarts({ facts: { source, sample, options } }: CheckContext): CheckFinding | undefined {
  if (options.ttl !== 'restart' || source.definition.defaultTtl === undefined) return undefined
  const found = valueOf(sample)
  if (found?.mortal === 0) return undefined
  return finding(
    'ttl-restarts',
    'needs confirmation',
    'Documents live longer than they should: the life of each copy begins with the copy.',
    'Leave --ttl restart out if data must not be kept longer than its time.'
  )
}

function expiresFirst({ facts: { sample }, estimate }: CheckContext): CheckFinding | undefined {
  const found = valueOf(sample)
  if (found === undefined || estimate.seconds === null) return undefined
  const { seconds } = estimate
  const gone = found.secondsLeft.filter((left) => left < seconds).length
  if (gone === 0) return undefined
  return finding(
    'ttl-expires-first',
    'note',
    `${percentText(gone / found.documents)} of the sample expires before the copy ends, after ${durationText(seconds)}.`,
    'Nothing needs to be done: a document that has expired is not copied, and its copy expires, too.'
  )
}

/** Days until the last document of today is expired, if that is a better way than a copy. */
function daysUntilExpired({ facts: { source, sample }, estimate }: CheckContext): number | null {
  const found = valueOf(sample)
  const life = found === undefined ? (source.definition.defaultTtl ?? null) : found.longestLife
  if (life === null || life <= 0) return null
  const isShort = life <= SHORT_LIFE_SECONDS || (estimate.seconds !== null && life <= estimate.seconds)
  return isShort ? Math.ceil(life / SECONDS_PER_DAY) : null
}

function letExpire(context: CheckContext): CheckFinding | undefined {
  const days = daysUntilExpired(context)
  if (days === null) return undefined
  return finding(
    'let-data-expire',
    'note',
    `All documents of today are expired in ${plural(days, 'day')}: a copy may not be needed.`,
    `Instead of a move, write new documents into the target, read from both containers for ${plural(days, 'day')}, and then delete the source.`
  )
}
