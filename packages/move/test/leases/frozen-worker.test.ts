import { createRandom, VirtualClock } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import type { Direction } from '../../src/journal/journal.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { LEASE_MS, openSimulatedMove } from '../simulation/simulated-shared-move.ts'
import { SimulatedWorker } from '../simulation/simulated-worker.ts'

const NAME = { key: ['pk-0'], id: 'id-0' }
const COPY = { key: ['pk-0-id-0'], id: 'id-0' }

describe('a worker that stands still longer than its lease', () => {
  // checks L22
  it('writes nothing that it has read before, so that a document that was deleted meanwhile stays deleted', async () => {
    const { clock, containers, applied, start } = createWorld()
    containers.forward.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
    const frozen = start('frozen', true)
    await until(() => frozen.isFrozen)
    start('successor')
    await until(() => containers.back.current(COPY) !== undefined)
    containers.forward.apply(NAME, undefined)
    await until(() => containers.back.current(COPY) === undefined)
    expect(frozen.isFrozen).toBe(true)
    await until(() => !frozen.isFrozen)
    await pass(3 * LEASE_MS)

    expect(applied).toStrictEqual(['created', 'deleted'])

    async function until(isTrue: () => boolean): Promise<void> {
      for (let step = 0; step < 10_000 && !isTrue(); step++) await pass(10)
      expect(isTrue()).toBe(true)
    }

    async function pass(ms: number): Promise<void> {
      clock.schedule(ms, () => {})
      await clock.runUntil(() => false, clock.now() + ms)
    }
  })
})

interface StartedWorker {
  isFrozen: boolean
}

/** Two containers, and workers of which one stands still when it has read the first document. */
function createWorld() {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const shared = { hasPreviousImages: false, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 10 }
  const containers: Readonly<Record<Direction, SimulatedContainer>> = {
    forward: new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared }),
    back: new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  }
  const leases = new SimulatedContainer(clock, random, { name: 'leases', keyPath: '/id', ...shared })
  const applied: string[] = []
  containers.back.onApply = (_, before, after) =>
    applied.push(after === undefined ? 'deleted' : before === undefined ? 'created' : 'replaced')

  function start(name: string, freezes = false): StartedWorker {
    const process = new SimulatedWorker(clock, random)
    const worker: StartedWorker = { isFrozen: false }
    const move = openSimulatedMove({
      process,
      name,
      containers,
      leases,
      basis: 'identity',
      copyLimits: { pollMs: 100, saveEveryMs: 300 },
      // only the lease protects the target here
      compare: async () => ({ isEqual: true, disagreements: [], unsettled: 0 }),
      runHook: async () => ({ isDone: true }),
      notPostponed: async () => {},
      onError: (error) => {
        throw error
      },
      asSource: (container) => ({
        ...container,
        readChanges: async (request) => {
          const answer = await container.readChanges(request)
          if (!freezes || answer.kind !== 'page' || answer.documents.length === 0) return answer
          freezes = false
          worker.isFrozen = true
          process.freeze(4 * LEASE_MS)
          await process.moves()
          worker.isFrozen = false
          return answer
        }
      })
    })
    move.run(new AbortController().signal).catch((error: unknown) => applied.push(String(error)))
    return worker
  }

  return { clock, containers, applied, start }
}
