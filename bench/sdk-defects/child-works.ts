import type { Container } from '@azure/cosmos'
import { byBulk, recordsOf } from './bench-container.ts'

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

/** More records than 4 x 2,500 RU/s can store in twenty seconds. */
export const MANY = 40_000
