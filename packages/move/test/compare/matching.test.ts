import { describe, expect, it } from 'vitest'
import type { Comparison } from '../../src/compare/compare-containers.ts'
import type { Body } from '../simulation/simulated-document.ts'
import { createPair, type SimulatedPair } from './simulated-pair.ts'

function found({ differences }: Comparison): readonly string[] {
  return differences.map(({ kind, identity }) => `${kind} ${identity.id}`).toSorted()
}

/** Stores a document in both containers. */
function addBoth({ source, target, placeOf }: SimulatedPair, body: Body, copy: Body): void {
  source.apply({ key: [body['pk'] as string], id: body.id }, body)
  target.apply(placeOf(copy), copy)
}

describe('containers whose documents cannot be matched', () => {
  it('are refused if the second one lacks the key fields of the first one', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    addBoth(pair, { id: 'a', pk: 'x' }, { id: 'a', key: 'x-a' })

    await expect(pair.compare()).rejects.toMatchObject({
      code: 'DOCUMENTS_UNMATCHED',
      message:
        'The documents of target do not have the field /pk, so nothing tells which documents belong together. Name the fields that do with `by`, such as /tenant,/id.'
    })
  })

  it('are refused after a thousand documents, not at the end', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    for (let index = 0; index < 1500; index++) addBoth(pair, { id: `${index}`, pk: 'x' }, { id: `${index}`, key: 'x' })
    let documents = 0

    const comparison = pair.compare({
      limits: { maxItems: 100, maxRequests: 1 },
      onProgress: (progress) => (documents = progress.documents)
    })

    await expect(comparison).rejects.toMatchObject({ code: 'DOCUMENTS_UNMATCHED' })
    expect(documents).toBeLessThan(3000)
  })

  it('are compared if some documents have the fields: the others are too many, and missing', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    addBoth(pair, { id: 'a', pk: 'x' }, { id: 'a', key: 'x-a' })
    addBoth(pair, { id: 'b', pk: 'x' }, { id: 'b', pk: 'x', key: 'x-b' })

    const comparison = await pair.compare()

    expect(comparison.differences.map(({ kind, places }) => `${kind} ${places.length}`).toSorted()).toEqual([
      'extra 1',
      'missing 0'
    ])
  })

  it('are not refused if one of them is empty', async () => {
    const pair = createPair({ seed: 1, basis: 'identity' })
    expect((await pair.compare()).isEqual).toBe(true)
    pair.target.apply({ key: ['k'], id: 'a' }, { id: 'a', key: 'k' })
    expect((await pair.compare()).differences).toMatchObject([{ kind: 'extra' }])
  })
})

describe('matching by named fields', () => {
  it('finds differences of documents with other keys and ids', async () => {
    const pair = createPair({ seed: 2 })
    for (const name of ['a', 'b', 'c'])
      addBoth(pair, { id: `old-${name}`, pk: 'x', name }, { id: `new-${name}`, pk: 'y', name })
    addBoth(pair, { id: 'old-d', pk: 'x', name: 'd', n: 1 }, { id: 'new-d', pk: 'y', name: 'd', n: 2 })
    pair.source.apply({ key: ['x'], id: 'old-e' }, { id: 'old-e', pk: 'x', name: 'e' })
    pair.target.apply({ key: ['x'], id: 'new-f' }, { id: 'new-f', pk: 'x', name: 'f' })
    pair.target.apply({ key: ['x'], id: 'newer-a' }, { id: 'newer-a', pk: 'x', name: 'a' })

    const comparison = await pair.compare({ by: ['/name'], ignore: ['/id', '/pk'] })

    expect(comparison.differences.map(({ kind, identity }) => `${kind} ${String(identity.key[0])}`).toSorted()).toEqual(
      ['different d', 'extra a', 'extra f', 'missing e']
    )
  })

  it('cannot tell anything of a document if several documents of the first container have its fields', async () => {
    const pair = createPair({ seed: 2 })
    for (const id of ['1', '2']) pair.source.apply({ key: ['x'], id }, { id, pk: 'x', name: 'a' })
    pair.target.apply({ key: ['x'], id: '1' }, { id: '1', pk: 'x', name: 'a' })

    const comparison = await pair.compare({ by: ['/name'], ignore: ['/id', '/pk'] })

    expect(comparison.unsettled).toMatchObject([{ reason: 'ambiguous', identity: { key: ['a'] } }])
    expect(comparison.isEqual).toBe(false)
    expect(comparison.differences).toEqual([])
  })

  it('is the usual matching if the fields are the key and the id', async () => {
    const pair = createPair({ seed: 2, basis: 'identity' })
    addBoth(pair, { id: 'a', pk: 'x' }, { id: 'a', pk: 'x', key: 'wrong' })

    expect(found(await pair.compare({ by: ['/id', '/pk'] }))).toEqual([])
    pair.target.apply({ key: ['other'], id: 'a' }, { id: 'a', pk: 'x', key: 'other' })
    expect(found(await pair.compare({ by: ['/id', '/pk'] }))).toEqual(['extra a'])
  })
})

describe('content', () => {
  it('leaves out system properties and the named properties', async () => {
    const pair = createPair({ seed: 3 })
    addBoth(pair, { id: 'a', pk: 'x', n: { m: 1 } }, { id: 'a', pk: 'x', n: { m: 2 } })

    expect(found(await pair.compare())).toEqual(['different a'])
    expect(found(await pair.compare({ ignore: ['/n/m'] }))).toEqual([])
  })

  it('counts `ttl` unless the move sets it', async () => {
    const pair = createPair({ seed: 3 })
    addBoth(pair, { id: 'a', pk: 'x', ttl: 5 }, { id: 'a', pk: 'x', ttl: 4 })

    expect(found(await pair.compare())).toEqual(['different a'])
    expect(found(await pair.compare({ ignoresTtl: true }))).toEqual([])
  })
})

describe('a document that changes all the time', () => {
  // checks L21
  it('is unsettled after ten settle times, or different if only its copy changes', async () => {
    const pair = createPair({ seed: 4, basis: 'identity' })
    const { clock, source, target } = pair
    let n = 0
    const write = (): void => {
      const busy = { id: 'busy', pk: 'x', n: n++ }
      source.apply({ key: ['x'], id: 'busy' }, busy)
      target.apply({ key: ['x-copied'], id: 'copied' }, { id: 'copied', pk: 'x', key: 'x-copied', n: n++ })
      clock.schedule(900, write)
    }
    source.apply({ key: ['x'], id: 'copied' }, { id: 'copied', pk: 'x', n: -1 })
    target.apply({ key: ['x-a'], id: 'a' }, { id: 'a', pk: 'x', key: 'x-a' })
    write()
    const startMs = clock.now()

    const comparison = await pair.compare({ settleMs: 3000, tries: 10 })

    expect(comparison.unsettled).toMatchObject([{ reason: 'changing', identity: { id: 'busy' } }])
    expect(found(comparison)).toEqual(['different copied', 'extra a'])
    expect(clock.now() - startMs).toBeGreaterThanOrEqual(30_000)
    expect(clock.now() - startMs).toBeLessThan(32_000)
  })

  it('is read again in any case, since it has several versions in the sums', async () => {
    const pair = createPair({ seed: 5 })
    const { source, target, clock } = pair
    const pass = (ms: number): Promise<unknown> =>
      Promise.all([clock.sleep(ms), clock.runUntil(() => false, clock.now() + ms)])
    await pass(60_000)
    for (const container of [source, target]) container.apply({ key: ['x'], id: 'a' }, { id: 'a', pk: 'x' })
    await pass(60_000)
    expect((await pair.compare()).buckets.differing).toBe(0)
    const opened = source.open(() => true)
    let reads = 0
    const feedRanges: typeof opened.feedRanges = () => {
      // after the ends of the feeds were read, and before the first document is
      if (++reads === 2)
        for (const container of [source, target]) container.apply({ key: ['x'], id: 'a' }, { id: 'a', pk: 'x', n: 1 })
      return opened.feedRanges()
    }

    const comparison = await pair.compare({ source: { ...opened, feedRanges } })
    expect(comparison).toMatchObject({ isEqual: true, buckets: { differing: 1, opened: 1 } })
  })

  it('is not read again if it has changed directly before, so that a comparison after the last write reads all once', async () => {
    const pair = createPair({ seed: 5 })
    const { source, target } = pair
    for (const container of [source, target]) container.apply({ key: ['x'], id: 'a' }, { id: 'a', pk: 'x', n: 1 })

    expect(await pair.compare()).toMatchObject({ isEqual: true, buckets: { differing: 0, opened: 0 } })
  })
})
