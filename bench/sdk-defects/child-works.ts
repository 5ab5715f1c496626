import type { Container } from '@azure/cosmos'
import { byBulk, recordsOf } from './place.ts'

/** Tasks that run in a process of their own, by name. */
export type ChildWork = 'many' | 'nothing among records' | 'bigint among records'

export const CHILD_WORKS: Readonly<Record<ChildWork, (container: Container) => Promise<unknown>>> = {
  many: (container) => byBulk(container, recordsOf(MANY)),
  'nothing among records': (container) =>
    container.items.executeBulkOperations([
      { operationType: 'Upsert', partitionKey: 'k', resourceBody: { id: 'a', pk: 'k' } },
      null
    ] as never),
  'bigint among records': (container) => byBulk(container, [...recordsOf(3), { id: 'big', pk: 'k', exact: 1n }])
}

/** Twenty seconds of what 4 x 2,500 RU/s can do, and more. */
export const MANY = 40_000
