import { createRandom, VirtualClock } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import { Copier } from '../../src/copy/copier.ts'
import { identityText } from '../../src/documents/identity.ts'
import { createMemoryJournal } from '../../src/journal/memory-journal.ts'
import { copyLastChanges, type LastChangesLimits } from '../../src/phases/last-changes.ts'
import { BEGIN } from '../journal/entries.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { createSimulatedMapper } from '../simulation/simulated-mapper.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)
const NEVER_MS = 1e12

describe('the last changes before a switch', () => {
  it.each(SEEDS)(
    'are all in the target when the newest tokens are reached, however far replicas are behind, through splits (seed %i)',
    async (seed) => {
      const copy = start(seed, { replicaLagMs: NEVER_MS, drainMs: NEVER_MS })
      await copy.writeForSome()
      const done = copy.copyLast()
      const splits = copy.random.below(3)
      for (let split = 0; split < splits; split++) {
        await copy.pass(copy.random.next() * 300)
        copy.source.split()
      }
      expect(await copy.resultOf(done)).toBe(true)
      expect(copy.copies()).toStrictEqual(copy.originals())
    }
  )

  it('are waited for as long as a replica may be behind if the newest tokens are not known', async () => {
    const copy = start(1, { replicaLagMs: 30_000, drainMs: NEVER_MS }, (container) => ({
      ...container,
      freshness: { ...container.freshness!, newestTokens: async () => undefined }
    }))
    await copy.writeForSome()
    const beganMs = copy.clock.now()
    expect(await copy.resultOf(copy.copyLast())).toBe(true)
    expect(copy.clock.now() - beganMs).toBeGreaterThanOrEqual(30_000)
    expect(copy.copies()).toStrictEqual(copy.originals())
  })

  it.each([3_600_000, -3_600_000])(
    'are waited for no less when the time of day is set to another one (by %i ms)',
    async (jumpMs) => {
      const copy = start(1, { replicaLagMs: 30_000, drainMs: NEVER_MS }, (container) => ({
        ...container,
        freshness: { ...container.freshness!, newestTokens: async () => undefined }
      }))
      await copy.writeForSome()
      // a clock that is set back has shown later times before
      if (jumpMs < 0) copy.setClock(-jumpMs)
      await copy.pass(1000)
      const beganMs = copy.clock.now()
      if (jumpMs < 0) copy.setClock(0)
      const done = copy.copyLast()
      if (jumpMs > 0) copy.setClock(jumpMs)
      expect(await copy.resultOf(done)).toBe(true)
      expect(copy.clock.now() - beganMs).toBeGreaterThanOrEqual(30_000)
      expect(copy.copies()).toStrictEqual(copy.originals())
    }
  )

  it('are not all there after the time for them', async () => {
    const copy = start(1, { replicaLagMs: NEVER_MS, drainMs: 10_000 }, (container) => ({
      ...container,
      freshness: { ...container.freshness!, covers: () => false }
    }))
    await copy.writeForSome()
    expect(await copy.resultOf(copy.copyLast())).toBe(false)
  })
})

/** A copy of a container whose replicas lack up to 20 seconds of changes. */
function start(
  seed: number,
  limits: LastChangesLimits,
  changed: (container: MoveContainer) => MoveContainer = (container) => container
) {
  const random = createRandom(seed)
  const clock = new VirtualClock()
  const shared = { hasPreviousImages: false, lostShare: 0, maxLatencyMs: 30 }
  const source = new SimulatedContainer(clock, random, {
    name: 'source',
    keyPath: '/pk',
    maxBehindMs: 20_000,
    ...shared
  })
  const target = new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', maxBehindMs: 0, ...shared })
  let aheadMs = 0
  const open = changed(source.open(() => true))
  const copier = new Copier({
    source: open,
    target: target.open(() => true),
    mapper: createSimulatedMapper('identity'),
    index: undefined,
    journal: createMemoryJournal({ entries: [BEGIN] }),
    direction: 'forward',
    begin: 'beginning',
    readsVersions: true,
    clock,
    wallMs: () => clock.now() + aheadMs,
    random: random.next,
    hashOf: identityText
  })
  const { signal } = new AbortController()
  const running = copier.run(signal)
  let version = 0
  const pass = (ms: number): Promise<unknown> => clock.runUntil(() => false, clock.now() + ms)

  function write(): void {
    const pk = `pk-${random.below(20)}`
    const id = `id-${random.below(4)}`
    const isDelete = source.current({ key: [pk], id }) !== undefined && random.chance(0.3)
    source.apply({ key: [pk], id }, isDelete ? undefined : { id, pk, version: ++version })
  }

  return {
    source,
    clock,
    random,
    pass,
    setClock: (ms: number) => (aheadMs = ms),
    writeForSome: async () => {
      for (let step = 0; step < 40; step++) {
        for (let count = random.below(5); count > 0; count--) write()
        if (random.chance(0.05)) source.split()
        await pass(random.next() * 100)
      }
    },
    copyLast: () => copyLastChanges({ source: open, copier, clock, limits, signal }),
    resultOf: async (done: Promise<boolean>) => {
      const ended = Promise.race([done, running.then(() => 'the copy ended')])
      const state = { isOver: false }
      void ended.finally(() => {
        state.isOver = true
      })
      await clock.runUntil(() => state.isOver, clock.now() + 600_000)
      return ended
    },
    originals: () => contentOf(source),
    copies: () => contentOf(target)
  }
}

function contentOf(container: SimulatedContainer): readonly string[] {
  const texts = container.bodies().map(({ body }) => `${String(body['pk'])} ${body.id} ${String(body['version'])}`)
  return texts.toSorted()
}
