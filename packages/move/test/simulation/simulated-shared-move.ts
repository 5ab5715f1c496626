import { identityText } from '../../src/documents/identity.ts'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import type { CopyLimits } from '../../src/copy/copier.ts'
import type { Direction } from '../../src/journal/journal.ts'
import { LeaseStore } from '../../src/leases/lease-store.ts'
import { SharedMove, type SharedMoveOptions } from '../../src/leases/shared-move.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { remembering } from '../../src/phases/own-content.ts'
import type { SimulatedContainer } from './simulated-container.ts'
import { createMemoryIndex } from './memory-index.ts'
import { createBackMapper, createSimulatedMapper } from './simulated-mapper.ts'
import type { SimulatedWorker } from './simulated-worker.ts'

/** Length of a lease, and the longest time of a request. */
export const LEASE_MS = 10_000
/** Age from which on the containers refuse a request, in a move with a fence. */
export const MAX_REQUEST_AGE_MS = 30_000
const TIMEOUT_MS = 2000

export interface SimulatedMoveOptions extends Pick<
  SharedMoveOptions,
  'runHook' | 'notPostponed' | 'limits' | 'isFenced' | 'written'
> {
  readonly process: SimulatedWorker
  /** Name of the worker. */
  readonly name: string
  readonly containers: Readonly<Record<Direction, SimulatedContainer>>
  readonly leases: SimulatedContainer
  readonly basis: 'identity' | 'fields'
  /** Whether each process has an index. Default: true. */
  readonly hasIndex?: boolean
  readonly copyLimits?: Partial<CopyLimits>
  readonly compare: (direction: Direction, isFrozen: boolean) => Promise<Comparison>
  readonly onError: (error: unknown) => void
  /** A container as the worker uses it. Default: the simulated one. */
  readonly asUsed?: (container: MoveContainer) => MoveContainer
}

/** The part of one simulated process in a move that several share. */
export function openSimulatedMove(options: SimulatedMoveOptions): SharedMove {
  const {
    process,
    name,
    containers,
    leases,
    basis,
    compare,
    asUsed = (container) => container,
    hasIndex = true,
    ...rest
  } = options
  const { isAlive, wallMs, clock } = process
  const mappers = { forward: createSimulatedMapper(basis), back: createBackMapper(basis) }
  const open = {
    forward: asUsed(containers.forward.open(isAlive, process)),
    back: asUsed(containers.back.open(isAlive, process))
  }
  // on the disk of this process: others do not have it
  const indexes = { forward: createMemoryIndex(), back: createMemoryIndex() }
  const indexOf = (direction: Direction) =>
    hasIndex && mappers[direction].basis === 'fields' ? indexes[direction] : undefined
  const side = (direction: Direction, other: Direction) => ({
    source: open[direction],
    target:
      direction === 'forward' || rest.written === undefined ? open[other] : remembering(open[other], rest.written),
    mapper: mappers[direction],
    index: indexOf(direction),
    otherIndex: indexOf(other),
    readsVersions: true,
    compare: (_: AbortSignal, isFrozen: boolean) => compare(direction, isFrozen)
  })
  return new SharedMove({
    sides: { forward: side('forward', 'back'), back: side('back', 'forward') },
    identity: { from: { name: 'source', rid: 'source' }, to: { name: 'target', rid: 'target' }, plan: 'plan' },
    member: {
      name,
      host: name,
      store: new LeaseStore(leases.open(isAlive, process), name),
      limits: {
        leaseMs: LEASE_MS,
        requestTimeoutMs: TIMEOUT_MS,
        renewEveryMs: 1500,
        pollMs: 1000,
        ...(rest.isFenced ? { maxRequestAgeMs: MAX_REQUEST_AGE_MS } : {})
      },
      wallMs,
      onError: rest.onError
    },
    clock,
    wallMs,
    random: process.random,
    hashOf: identityText,
    onStep: () => {},
    ...rest
  })
}
