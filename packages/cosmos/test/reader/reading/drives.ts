import type { PlanDefinition } from '@keystamp/core'

export const DATE = '2018-08-09'
export const VIN = 'Vehicle-Identification-Number'
export const RANDOM: PlanDefinition = {
  into: '/partitionKey',
  from: [{ field: '/date' }],
  suffix: { by: 'random', count: 400 }
}
export const COMPUTED: PlanDefinition = {
  into: '/partitionKey',
  from: [{ field: '/date' }],
  suffix: { by: `/${VIN}`, count: 400 }
}

/** Creates records of one day. `at` is a permutation, so that the order of writing and the order of `at` differ. */
export function drives(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    date: DATE,
    [VIN]: `VIN${index}`,
    at: (index * 7919) % count
  }))
}

export function idsOf(documents: readonly { readonly id?: unknown }[]): string[] {
  return documents.map(({ id }) => String(id))
}
