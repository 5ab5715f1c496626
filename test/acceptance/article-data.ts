import type { PlanDefinition } from '@keystamp/core'

export const DOCUMENT: { readonly deviceId: string; readonly date: number } = { deviceId: 'abc-123', date: 2018 }
export const DATE = '2018-08-09'
export const VIN = 'Vehicle-Identification-Number'
export const SOME_VIN = '1FTFW1ET5DFC10312'

/** `deviceId` and `date` joined. */
export const JOINED: PlanDefinition = {
  into: '/partitionKey',
  from: [{ field: '/deviceId' }, { field: '/date' }],
  separator: '-'
}

/** One property alone. */
export const DATE_ALONE: PlanDefinition = { into: '/partitionKey', from: [{ field: '/date' }] }

export const RANDOM_SUFFIX: PlanDefinition = { ...DATE_ALONE, suffix: { by: 'random', count: 400 } }

export const COMPUTED_SUFFIX: PlanDefinition = { ...DATE_ALONE, suffix: { by: `/${VIN}`, count: 400 } }

/** Vehicle numbers in sequence, as vehicles leave a factory. */
export function vins(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `1FTFW1ET5DF${String(index).padStart(6, '0')}`)
}
