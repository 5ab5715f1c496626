import type { PlanDefinition } from '@keystamp/core'

/** One way to make the key of the same telemetry. */
export interface DemoKey {
  readonly name: string
  readonly title: string
  readonly plan: PlanDefinition
}

const into = '/partitionKey'
const from = [{ field: '/day' }] as const

/** From worst to best. */
export const DEMO_KEYS: readonly DemoKey[] = [
  { name: 'date', title: 'The date alone', plan: { into, from } },
  {
    name: 'suffix',
    title: 'The date and a suffix from 1 to 400, computed from the VIN',
    plan: { into, from, suffix: { by: '/VIN', count: 400 } }
  },
  { name: 'even', title: 'The same suffix with even labels', plan: { into, from, suffix: { by: '/VIN', count: 400, labels: 'even' } } }
]
