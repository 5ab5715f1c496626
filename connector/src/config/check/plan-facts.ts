import type { PlanDefinition } from '@keystamp/core'

/** Whether any version of a plan draws suffixes at random. */
export function hasRandomSuffix(plan: PlanDefinition): boolean {
  if ((plan.levels ?? [plan]).some(({ suffix }) => suffix?.by === 'random')) return true
  return (plan.previous ?? []).some((older) => hasRandomSuffix(older.plan))
}

/** The members at the top of a document that a plan writes its key into. */
export function keyMembers(plan: PlanDefinition | undefined): readonly string[] {
  if (plan === undefined) return []
  return (plan.levels ?? [plan]).map(({ into }) => (into.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~'))
}
