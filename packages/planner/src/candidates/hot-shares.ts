import { createPlan, type Key } from '@keystamp/core'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { Candidate, CandidateLevel, CandidateSuffix } from './candidate.ts'

/** Sets the shares of the hot values of a candidate from the most frequent keys of a sample. */
export function withHotShares(candidate: Candidate, profile: KeyProfile): Candidate {
  const { levels, plan } = candidate
  if (plan === null || levels.every(({ suffix }) => suffix === null || suffix.hot.length === 0)) return candidate
  const { decode } = createPlan(plan)
  const frequent = profile.heavy.flatMap(({ values, records }) => {
    const decoded = values === null ? undefined : decode(values as Key)
    return decoded?.ok === true ? [{ levels: decoded.levels, share: records / profile.records }] : []
  })
  const shareOf = (level: number, part: number, value: string): number =>
    frequent.reduce(
      (sum, each) => (String(each.levels[level].parts[part]?.value) === value ? sum + each.share : sum),
      0
    )
  return { ...candidate, levels: levels.map((level, number) => withShares(level, number, shareOf)) }
}

function withShares(
  level: CandidateLevel,
  number: number,
  shareOf: (level: number, part: number, value: string) => number
): CandidateLevel {
  const { suffix } = level
  if (suffix === null) return level
  const hot = suffix.hot.map((each): CandidateSuffix['hot'][number] => ({
    ...each,
    share: each.value === undefined ? each.share : shareOf(number, suffix.on ?? 0, each.value)
  }))
  return { ...level, suffix: { ...suffix, hot } }
}
