import { KeystampError, type PlanDefinition } from '@keystamp/core'
import type { SinkSettings } from '../config/settings.ts'
import { type IdDefinition, idDefinition } from './id-definition.ts'

/** The configured plan, with ids as the settings say where it is silent; undefined without a plan. Throws CONFIG_INVALID. */
export function completePlan({ plan, id }: Pick<SinkSettings, 'plan' | 'id'>): PlanDefinition | undefined {
  if (plan === undefined || id === undefined) return plan
  if (plan.id !== undefined) {
    throw new KeystampError('CONFIG_INVALID', 'Ids are made twice: by the plan and by `id`. Leave one of the two away.')
  }
  return withId(plan, idDefinition(id))
}

/** Older versions get the ids too: they were written by the same sink, under its settings. */
function withId(plan: PlanDefinition, id: IdDefinition): PlanDefinition {
  const previous = plan.previous?.map((older) => ({ ...older, plan: older.plan.id === undefined ? withId(older.plan, id) : older.plan }))
  return { ...plan, id, ...(previous === undefined ? {} : { previous }) }
}
