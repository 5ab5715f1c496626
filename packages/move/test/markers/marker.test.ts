import { createRandom, VirtualClock } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { readStoredDocument } from '../../src/documents/identity-reader.ts'
import type { Identity } from '../../src/documents/identity.ts'
import type { StoredDocument } from '../../src/documents/stored-document.ts'
import { checkFence, createMarker, isMarker, MAX_REQUEST_AGE_MS } from '../../src/markers/marker.ts'
import { MarkerSweep } from '../../src/markers/marker-sweep.ts'
import { withoutMarkers } from '../../src/markers/without-markers.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { type Body, bodyOf } from '../simulation/simulated-document.ts'

const KEY = { paths: ['/key'], kind: 'Hash', version: 2 } as const

describe('the marker of a deleted document', () => {
  it.each([
    { paths: ['/key'], key: ['a'] },
    { paths: ['/a/b', '/a/"c d"'], key: [1.5, true] },
    { paths: ['/id'], key: ['drive-0'] },
    { paths: ['/key'], key: [-0] },
    { paths: ['/a', '/b'], key: [null, undefined] }
  ])('has the key and the id of the document: $paths', ({ paths, key }) => {
    const kind = paths.length > 1 ? 'MultiHash' : 'Hash'
    const marker = createMarker({ key, id: 'drive-0' }, { paths, kind, version: 2 })

    const pointers = paths.map((path) => path.slice(1).replaceAll('"', '').split('/'))
    const read = readStoredDocument(marker.stamped.bytes, 0, marker.stamped.end, pointers)!
    expect(read.identity).toStrictEqual({ key, id: 'drive-0' })
    expect(isMarker(read)).toBe(true)
  })

  it('lives twice as long as a request can be under way, where documents expire', () => {
    const { stamped } = createMarker({ key: ['a'], id: 'a' }, KEY)
    expect(bodyOf(stamped)['ttl']).toBe((2 * MAX_REQUEST_AGE_MS) / 1000)
  })

  it.each([
    ['a document', { id: 'a' }],
    ['a marker of a writer with `newest`', { id: 'a', _keystampDeleted: true, _keystampPosition: { value: 1 } }],
    ['a document with the name in a value', { id: 'a', text: '"_keystampDeleted"', _keystamp: { marker: true } }],
    ['a copy of a document of an earlier move', { id: 'a', _keystamp: { '/ttl': { was: 5, now: 4 } } }],
    ['a document without a mark', { id: 'a', _keystampDeleted: true, _keystamp: null }]
  ])('is not %s', (_name, document) => {
    expect(isMarker(stored(document))).toBe(false)
  })

  it('is not possible in a container with unique keys, where markers would refuse each other', () => {
    const definition = { rid: 'r', partitionKey: KEY, defaultTtl: undefined, uniqueKeys: [['/email']] }
    expect(() => checkFence({ name: 'fleet/drives', definition })).toThrow(
      'fleet/drives has unique keys, so the markers of deleted documents could refuse each other, and `--fence` is not possible: leave it out.'
    )
  })
})

describe('a container without its markers', () => {
  it('has only the documents in the feed, and no document in the place of a marker', async () => {
    const { container, clock } = createContainer(['a', 'b', 'c'], ['b', 'c'])
    const seen = withoutMarkers(container.open(() => true))
    const range = { min: '', max: 'FF' }
    const page = await run(clock, seen.readChanges({ range, mode: 'latest', from: 'beginning' }))

    expect(page.kind === 'page' && page.documents.map(({ identity }) => identity.id)).toStrictEqual(['a'])
    expect(await run(clock, seen.read(nameOf('a')))).toBeDefined()
    expect(await run(clock, seen.read(nameOf('b')))).toBeUndefined()
    expect(container.current(nameOf('b'))).toBeDefined()
  })
})

describe('a sweep', () => {
  it('removes old markers first, and the others later, also after a split', async () => {
    const { container, clock } = createContainer(['a', 'b', 'c', 'd', 'e'], ['b', 'c'])
    await pass(clock, MAX_REQUEST_AGE_MS + 120_000)
    putMarker(container, 'd')
    const sweep = new MarkerSweep({
      container: container.open(() => true),
      wallMs: clock.now,
      signal: new AbortController().signal
    })
    await run(clock, sweep.removeOld())
    expect(idsIn(container)).toStrictEqual(['a', 'd', 'e'])

    container.split()
    putMarker(container, 'e')
    await run(clock, sweep.removeAll())

    expect(idsIn(container)).toStrictEqual(['a'])
  })

  it('keeps a document that took the place of a marker', async () => {
    const { container, clock } = createContainer(['a'], ['a'])
    const raw = container.open(() => true)
    const sweep = new MarkerSweep({
      container: {
        ...raw,
        readChanges: async (request) => {
          const page = await raw.readChanges(request)
          container.apply(nameOf('a'), { id: 'a', key: 'a', version: 2 })
          return page
        }
      },
      wallMs: clock.now,
      signal: new AbortController().signal
    })
    await run(clock, sweep.removeAll())

    expect(container.current(nameOf('a'))?.body['version']).toBe(2)
  })
})

function nameOf(id: string): Identity {
  return { key: [id], id }
}

function putMarker(container: SimulatedContainer, id: string): void {
  container.apply(nameOf(id), bodyOf(createMarker(nameOf(id), KEY).stamped))
}

function createContainer(
  ids: readonly string[],
  markers: readonly string[]
): { readonly container: SimulatedContainer; readonly clock: VirtualClock } {
  const clock = new VirtualClock()
  const shared = { hasPreviousImages: true, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 0 }
  const container = new SimulatedContainer(clock, createRandom(1), { name: 'target', keyPath: '/key', ...shared })
  for (const id of ids) container.apply(nameOf(id), { id, key: id, version: 1 })
  for (const id of markers) putMarker(container, id)
  return { container, clock }
}

async function run<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false
  void work.finally(() => (isDone = true))
  await clock.runUntil(() => isDone, clock.now() + 60_000)
  return work
}

async function pass(clock: VirtualClock, ms: number): Promise<void> {
  clock.schedule(ms, () => {})
  await clock.runUntil(() => false, clock.now() + ms)
}

function idsIn(container: SimulatedContainer): readonly string[] {
  return container
    .bodies()
    .map(({ identity }) => identity.id)
    .toSorted()
}

function stored(document: Body): StoredDocument {
  const bytes = Buffer.from(JSON.stringify(document))
  return { bytes, start: 0, end: bytes.length, identity: nameOf('a'), etag: '', timestamp: 0, lsn: undefined }
}
