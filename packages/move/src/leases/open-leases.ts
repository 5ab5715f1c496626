import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type MoveContainerOptions, openMoveContainer } from '../containers/open-container.ts'
import { invalidJournal } from '../journal/journal-error.ts'
import { MAX_REQUEST_AGE_MS } from '../markers/marker.ts'
import { leaseLimitsOf } from './held-lease.ts'
import { LeaseStore } from './lease-store.ts'
import type { MemberOptions } from './member.ts'

/** Options of a move that several processes share. */
export interface LeaseOptions {
  /** A container with the partition key `/id`. */
  readonly container: MoveContainerOptions
  /** A range of a process that is silent for this time moves to another one. Default: 60,000. */
  readonly leaseMs?: number
}

export interface OpenLeases {
  readonly member: Pick<MemberOptions, 'store' | 'name' | 'host' | 'limits'>
  readonly close: () => Promise<void>
}

/** Opens the container with the leases of a move. Throws JOURNAL_INVALID if its partition key is not `/id`. */
export async function openLeases(
  { container: options, leaseMs }: LeaseOptions,
  { isFenced = false }: { readonly isFenced?: boolean } = {}
): Promise<OpenLeases> {
  const limits = { ...leaseLimitsOf(leaseMs), ...(isFenced ? { maxRequestAgeMs: MAX_REQUEST_AGE_MS } : {}) }
  // few and small requests, on which the leases depend
  const container = await openMoveContainer({
    priorityLevel: 'High',
    requestTimeoutMs: limits.requestTimeoutMs,
    ...options
  })
  const { paths } = container.definition.partitionKey
  if (paths.length !== 1 || paths[0] !== '/id') {
    await container.close()
    throw invalidJournal(
      `${container.name} has the partition key ${paths.join(', ')}, but the leases of a move need a container with the partition key /id. Create one, and name it with \`--leases\`.`
    )
  }
  const host = `process ${process.pid} on ${hostname()}`
  // unique, so that a process never takes the leases of an earlier one for its own
  const name = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  return { member: { store: new LeaseStore(container, name), name, host, limits }, close: container.close }
}
