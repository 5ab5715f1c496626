import type { KeyCandidate } from '@keystamp/planner'
import type { PlanDefinition } from '@keystamp/core'

const PATHS = ['/id', '/deviceId', '/fleetId', '/tenantId', '/customerId', '/orderId', '/driverId', '/batch', '/model']

const HIERARCHIES = [
  ['/tenantId', '/deviceId'],
  ['/tenantId', '/customerId', '/orderId'],
  ['/fleetId', '/deviceId'],
  ['/tenantId', '/deviceId', '/id']
]

const at = (unit: 'day' | 'hour') => ({ bucket: unit, of: '/at' }) as const
const field = (path: string) => ({ field: path })

const PLANS: readonly PlanDefinition[] = [
  plan([at('day')]),
  plan([at('hour')]),
  plan([field('/deviceId'), at('day')]),
  plan([field('/deviceId'), at('hour')]),
  plan([field('/tenantId'), at('day')]),
  plan([field('/fleetId'), at('hour')]),
  plan([field('/tenantId'), field('/deviceId')]),
  plan([field('/fleetId'), field('/model')]),
  { ...plan([field('/tenantId')]), suffix: { by: '/deviceId', count: 16 } },
  { ...plan([field('/fleetId')]), suffix: { by: '/deviceId', count: 8, labels: 'even' } },
  { ...plan([at('day')]), suffix: { by: '/id', count: 400, labels: 'even' } },
  { ...plan([field('/tenantId'), at('day')]), suffix: { by: '/id', count: 20, labels: 'even' } }
]

/** The 25 keys that the bench measures at once: fields, joined fields, time buckets, suffixes, hierarchies. */
export const CANDIDATES: readonly KeyCandidate[] = [
  ...PATHS.map((path) => ({ name: path, plan: null, partitionKeyPaths: [path] })),
  ...HIERARCHIES.map((paths) => ({ name: paths.join(' '), plan: null, partitionKeyPaths: paths })),
  ...PLANS.map((definition) => ({ name: JSON.stringify(definition), plan: definition, partitionKeyPaths: ['/pk'] }))
]

function plan(from: FlatDefinition['from']): FlatDefinition {
  return { into: '/pk', from }
}

type FlatDefinition = Extract<PlanDefinition, { readonly into: string }>
