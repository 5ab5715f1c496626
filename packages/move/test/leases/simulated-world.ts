import { createRandom, VirtualClock } from '@keystamp/testkit'
import { expect } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import type { Direction } from '../../src/journal/journal.ts'
import type { SharedMove } from '../../src/leases/shared-move.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { createMemoryContents, type MemoryContents } from '../simulation/memory-index.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { MAX_REQUEST_AGE_MS, openSimulatedMove } from '../simulation/simulated-shared-move.ts'
import { SimulatedWorker } from '../simulation/simulated-worker.ts'

export interface SimulatedWorldOptions {
  readonly hasPreviousImages?: boolean
  readonly isFenced?: boolean
  readonly basis?: 'identity' | 'fields'
  readonly hasIndex?: boolean
  /** The comparison of the containers; by default, it finds nothing. */
  readonly compare?: () => Promise<Comparison>
}

export interface SimulatedWorld {
  readonly clock: VirtualClock
  readonly containers: Readonly<Record<Direction, SimulatedContainer>>
  /** Errors of all workers. */
  readonly failures: readonly string[]
  /** Starts a worker; the first word of its name is that of its machine. `asUsed`: a container as it uses it. `freezesAtSend`: see SimulatedWorker. */
  readonly start: (
    name: string,
    asUsed?: (container: MoveContainer, process: SimulatedWorker) => MoveContainer,
    freezesAtSend?: () => number
  ) => { readonly move: SharedMove; readonly process: SimulatedWorker }
  readonly pass: (ms: number) => Promise<void>
  /** Lets time pass until something is true; fails after some minutes. */
  readonly until: (isTrue: () => boolean) => Promise<void>
}

/** Two containers in virtual time, and workers. */
export function createSimulatedWorld({
  hasPreviousImages = true,
  isFenced = false,
  basis = 'identity',
  hasIndex = true,
  compare = async () => ({ isEqual: true, disagreements: [], unsettled: 0 })
}: SimulatedWorldOptions = {}): SimulatedWorld {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const shared = {
    hasPreviousImages,
    maxBehindMs: 0,
    lostShare: 0,
    maxLatencyMs: 10,
    ...(isFenced ? { maxRequestAgeMs: MAX_REQUEST_AGE_MS } : {})
  }
  const containers: SimulatedWorld['containers'] = {
    forward: new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared }),
    back: new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  }
  const leases = new SimulatedContainer(clock, random, { name: 'leases', keyPath: '/id', ...shared })
  const machines = new Map<string, MemoryContents>()
  const failures: string[] = []
  const onError = (error: unknown): void => void failures.push(String(error))

  const pass = async (ms: number): Promise<void> => {
    clock.schedule(ms, () => {})
    await clock.runUntil(() => false, clock.now() + ms)
  }

  return {
    clock,
    containers,
    failures,
    pass,
    until: async (isTrue) => {
      for (let step = 0; step < MAX_STEPS && !isTrue(); step++) await pass(10)
      expect(failures).toStrictEqual([])
      expect(isTrue()).toBe(true)
    },
    start: (name, asUsed = (container) => container, freezesAtSend) => {
      const process = new SimulatedWorker(clock, random, freezesAtSend)
      const [machine] = name.split(' ')
      const contents = machines.get(machine) ?? createMemoryContents()
      machines.set(machine, contents)
      const move = openSimulatedMove({
        process,
        name,
        containers,
        leases,
        basis,
        hasIndex,
        isFenced,
        limits: { replicaLagMs: 500 },
        copyLimits: { pollMs: 100, saveEveryMs: 300 },
        compare,
        runHook: async () => ({ isDone: true }),
        notPostponed: async () => {},
        written: contents.open(),
        onError,
        asUsed: (container) => asUsed(container, process)
      })
      move.run(new AbortController().signal).catch(onError)
      return { move, process }
    }
  }
}

const MAX_STEPS = 20_000
