import { describe, expect, it } from 'vitest'
import type { Comparison } from '../../src/compare/compare-containers.ts'
import { createPair } from './simulated-pair.ts'

const at = (key: string, id: string): { readonly key: readonly string[]; readonly id: string } => ({ key: [key], id })

function found({ differences }: Comparison): readonly string[] {
  return differences.map(({ kind, identity }) => `${kind} ${identity.id}`).toSorted()
}

describe('a difference', () => {
  // checks L21
  it('does not count if the copy follows within the settle time', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    const body = { id: 'a', pk: 'x', n: 1 }
    pair.source.apply(at('x', 'a'), body)
    pair.clock.schedule(9000, () => pair.target.apply(pair.placeOf(body), pair.copyOf(body)))

    expect((await pair.compare({ settleMs: 10_000 })).isEqual).toBe(true)
  })

  // checks L21
  it('counts if the copy follows later', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    const body = { id: 'a', pk: 'x', n: 1 }
    pair.source.apply(at('x', 'a'), body)
    pair.clock.schedule(11_000, () => pair.target.apply(pair.placeOf(body), pair.copyOf(body)))

    expect(found(await pair.compare({ settleMs: 10_000 }))).toEqual(['missing a'])
  })

  it('does not count for a copy that was deleted before its document, and was not there at the first read either', async () => {
    const pair = createPair({ seed: 2 })
    const { source, target, clock } = pair
    const body = { id: 'a', pk: 'x' }
    // the copy comes after the first read
    source.apply(at('x', 'a'), body)
    clock.schedule(3000, () => target.apply(at('x', 'a'), body))
    // the application deletes the copy first, before the last read
    clock.schedule(9000, () => target.apply(at('x', 'a'), undefined))
    clock.schedule(12_000, () => source.apply(at('x', 'a'), undefined))

    expect((await pair.compare({ settleMs: 10_000 })).isEqual).toBe(true)
  })

  it('does not count for a document that has moved to a place which was not known before', async () => {
    const pair = createPair({ seed: 3 })
    const { source, target, clock } = pair
    source.apply(at('x', 'old'), { id: 'old', pk: 'x', name: 'a', n: 1 })
    target.apply(at('x', 'copy'), { id: 'copy', pk: 'x', name: 'a', n: 2 })
    clock.schedule(2000, () => {
      source.apply(at('y', 'new'), { id: 'new', pk: 'y', name: 'a', n: 2 })
      source.apply(at('x', 'old'), undefined)
    })

    expect((await pair.compare({ by: ['/name'], ignore: ['/id', '/pk'] })).isEqual).toBe(true)
  })
})

describe('equal containers that are not written', () => {
  it.each([undefined, 'identity', 'fields'] as const)('are read once (%s)', async (basis) => {
    const pair = createPair({ seed: 4, basis })
    for (let index = 0; index < 100; index++) {
      const body = { id: `${index}`, pk: `pk-${index % 7}`, group: `${index % 5}` }
      pair.source.apply(at(body.pk, body.id), body)
      pair.target.apply(pair.placeOf(body), pair.copyOf(body))
    }
    const { clock } = pair
    await Promise.all([clock.sleep(60_000), clock.runUntil(() => false, 60_000)])

    expect(await pair.compare()).toMatchObject({
      isEqual: true,
      buckets: { differing: 0, opened: 0 },
      compared: { source: 100, target: 100 }
    })
  })
})

describe('a physical partition that is split or merged while it is read', () => {
  it.each(Array.from({ length: 10 }, (_, index) => index + 1))('is read once and whole (seed %i)', async (seed) => {
    const pair = createPair({ seed, basis: 'identity', maxLatencyMs: 40 })
    const { random, clock, source, target } = pair
    for (let index = 0; index < 200; index++) {
      const body = { id: `${index}`, pk: `pk-${index % 7}`, group: '' }
      source.apply(at(body.pk, body.id), body)
      target.apply(pair.placeOf(body), pair.copyOf(body))
      await Promise.all([clock.sleep(50), clock.runUntil(() => false, clock.now() + 50)])
    }
    await Promise.all([clock.sleep(60_000), clock.runUntil(() => false, clock.now() + 60_000)])
    for (let count = 0; count < 12; count++)
      clock.schedule(random.next() * 2000, () => {
        const container = random.pick([source, target])
        if (random.chance(0.7)) container.split()
        else container.merge()
      })

    const comparison = await pair.compare({ limits: { maxItems: 5, maxRequests: 3 } })

    expect(comparison).toMatchObject({ isEqual: true, compared: { source: 200, target: 200 } })
  })
})
