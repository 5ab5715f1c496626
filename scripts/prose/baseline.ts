import type { FileFinding, ProseCounts } from './measure-prose.ts'

/** An area in which a rule finds more than its baseline allows. */
export interface Rise {
  readonly area: string
  readonly rule: string
  readonly count: number
  readonly limit: number
}

/**
 * Finds counts above the baseline. An area that is not in the baseline has code that moved there from other areas: its
 * limit is the number of findings that the other areas have lost.
 */
export function findRises(counts: ProseCounts, baseline: ProseCounts): Rise[] {
  return Object.entries(counts).flatMap(([area, rules]) =>
    Object.entries(rules).flatMap(([rule, count]) => {
      const limit = area in baseline ? (baseline[area][rule] ?? 0) : lostBy(rule, counts, baseline)
      return count > limit ? [{ area, rule, count, limit }] : []
    })
  )
}

/** The baseline after an improvement. No count increases; a new area gets the findings that the others have lost. */
export function lowerBaseline(counts: ProseCounts, baseline: ProseCounts): ProseCounts {
  const known = Object.entries(baseline).map(([area, rules]) => [area, lowered(rules, counts[area] ?? {})] as const)
  const added = Object.entries(counts)
    .filter(([area]) => !(area in baseline))
    .map(
      ([area, rules]) =>
        [area, mapCounts(rules, (count, rule) => Math.min(count, lostBy(rule, counts, baseline)))] as const
    )
  return Object.fromEntries(
    [...known, ...added].filter(([, rules]) => Object.keys(rules).length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  )
}

/** Message about a rise: a line with the numbers, and a line for each finding. */
export function explainRise({ area, rule, count, limit }: Rise, findings: readonly FileFinding[]): string {
  const lines = findings.map(({ path, line, found, instead }) => `  ${path}:${line} "${found}": ${instead}`)
  const shown =
    lines.length > MAX_SHOWN ? [...lines.slice(0, MAX_SHOWN), `  ... and ${lines.length - MAX_SHOWN} more`] : lines
  return [`${area}: ${rule}: ${count}, the limit is ${limit}.`, ...shown].join('\n')
}

const MAX_SHOWN = 40

function lostBy(rule: string, counts: ProseCounts, baseline: ProseCounts): number {
  return Object.entries(baseline).reduce(
    (lost, [area, rules]) => lost + Math.max(0, (rules[rule] ?? 0) - (counts[area]?.[rule] ?? 0)),
    0
  )
}

function lowered(
  limits: Readonly<Record<string, number>>,
  counts: Readonly<Record<string, number>>
): Record<string, number> {
  return mapCounts(limits, (limit, rule) => Math.min(limit, counts[rule] ?? 0))
}

function mapCounts(
  counts: Readonly<Record<string, number>>,
  map: (count: number, rule: string) => number
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts)
      .map(([rule, count]) => [rule, map(count, rule)] as const)
      .filter(([, count]) => count > 0)
  )
}
