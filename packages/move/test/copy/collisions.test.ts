import { createRandom, VirtualClock } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import { Copier } from '../../src/copy/copier.ts'
import type { DocumentMapper } from '../../src/documents/document-mapper.ts'
import { identityText } from '../../src/documents/identity.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { createMemoryJournal } from '../../src/journal/memory-journal.ts'
import { BEGIN } from '../journal/entries.ts'
import { createMemoryIndex } from '../simulation/memory-index.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { createSimulatedMapper } from '../simulation/simulated-mapper.ts'

const FIRST = { key: ['pk-1'], id: 'id' }
const SECOND = { key: ['pk-2'], id: 'id' }
const PLACE = { key: ['group'], id: 'id' }

describe('of two documents with the same new key and id', () => {
  it('the second is copied when the first is deleted', async () => {
    const copy = start()
    await copy.meet()
    copy.source.apply(FIRST, undefined)
    await copy.pass(5000)
    expect(copy.holder()).toBe('pk-2')
    expect(copy.rejected()).toStrictEqual([])
  })

  it('the second is copied when the first moves to another key', async () => {
    const copy = start()
    await copy.meet()
    copy.source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'other', version: 3 })
    await copy.pass(5000)
    expect(copy.holder()).toBe('pk-2')
    expect(copy.rejected()).toStrictEqual([])
  })

  it('the second is copied when the copy of the first has gone before the first', async () => {
    const copy = start()
    await copy.meet()
    copy.target.apply(PLACE, undefined, true)
    copy.source.apply(FIRST, undefined, true)
    await copy.pass(5000)
    expect(copy.holder()).toBe('pk-2')
  })

  it('the second is copied when the first is deleted while the second is being refused', async () => {
    let isFirst = true
    const copy = start({
      onRead: async (text) => {
        if (text !== identityText(FIRST) || !isFirst) return
        isFirst = false
        // the answer was read before, and arrives when the copy of the first is gone
        copy.source.apply(FIRST, undefined)
        await copy.clock.sleep(5000)
      }
    })
    await copy.meet()
    await copy.pass(10_000)
    expect(isFirst).toBe(false)
    expect(copy.holder()).toBe('pk-2')
    expect(copy.rejected()).toStrictEqual([])
  })
})

// checks L22
it.each([
  { what: 'freed by another worker', frees: true },
  { what: 'never freed', frees: false }
])('the position of a shared range stays for some time before a document whose place is $what', async ({ frees }) => {
  const copy = start({ holdMs: 30_000 })
  await copy.meet()
  const metMs = copy.clock.now()
  // the next owner of the range would read the document again
  expect(copy.status().readToEndMs).toBeLessThan(metMs - 3000)
  copy.retryHeld()
  await copy.pass(1000)
  expect(copy.status().readToEndMs).toBeLessThan(metMs - 3000)

  if (frees) copy.target.apply(PLACE, undefined)
  else await copy.pass(30_000)
  copy.retryHeld()
  await copy.pass(1000)
  expect(copy.status().readToEndMs).toBeGreaterThan(metMs)
  expect(copy.holder()).toBe(frees ? 'pk-2' : 'pk-1')
  expect(copy.rejected()).toStrictEqual(frees ? [] : ['PLACE_TAKEN'])
})

it('a document that was copied, and then expires soon, has no old copy', async () => {
  const copy = start({
    mapper: {
      ...BY_IDENTITY,
      map: (document, nowMs) =>
        new TextDecoder().decode(document.bytes).includes('"soon"')
          ? { kind: 'expiring' }
          : BY_IDENTITY.map(document, nowMs)
    },
    versions: false,
    maxItems: 1,
    onPage: (count) => {
      if (count === 1) copy.source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'group', text: 'soon', version: 9 })
    }
  })
  copy.source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'group', version: 1 })
  for (let other = 0; other < 3; other++)
    copy.source.apply({ key: ['pk-3'], id: `${other}` }, { id: `${other}`, pk: 'pk-3', group: 'group', version: 2 })
  await copy.pass(10_000)
  expect(
    copy.target
      .bodies()
      .map(({ body }) => body.id)
      .toSorted()
  ).toStrictEqual(['0', '1', '2'])
})

it('a position is saved when the disk has the places of the documents before it', async () => {
  const copy = start()
  copy.source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'group', version: 1 })
  await copy.pass(5000)
  const saved = copy.order.indexOf('saved documents')
  expect(saved).toBeGreaterThan(0)
  expect(copy.order.slice(0, saved)).toContain('synced places')
})

it('a range counts as copied when its last document is in the target, and not when it was read', async () => {
  const gate = { isOpen: false }
  const copy = start({
    onWrite: async () => {
      while (!gate.isOpen) await copy.clock.sleep(100)
    }
  })
  copy.source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'group', version: 1 })
  await copy.pass(10_000)
  expect(copy.status()).toMatchObject({ isCopied: false, ranges: [{ isCopied: false, documents: 0 }] })
  gate.isOpen = true
  await copy.pass(1000)
  expect(copy.status()).toMatchObject({ isCopied: true, ranges: [{ isCopied: true, documents: 1 }] })
})

const MAPPER = createSimulatedMapper('fields')
const BY_IDENTITY = createSimulatedMapper('identity')

interface Started {
  readonly mapper?: DocumentMapper
  readonly versions?: boolean
  readonly maxItems?: number
  readonly holdMs?: number
  /** Called after the answer to a read of a document of the source, before it arrives. */
  readonly onRead?: (text: string) => Promise<void>
  /** Called before each write to the target. */
  readonly onWrite?: () => Promise<void>
  /** Called with the number of pages with documents that have been read. */
  readonly onPage?: (count: number) => void
}

function start({
  mapper = MAPPER,
  versions = true,
  maxItems = 100,
  holdMs = 0,
  onRead,
  onWrite,
  onPage
}: Started = {}) {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const shared = { hasPreviousImages: false, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 10 }
  const source = new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared })
  const target = new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  const memory = createMemoryJournal({ entries: [BEGIN] })
  const index = createMemoryIndex()
  const order: string[] = []
  const journal: Journal = {
    ...memory,
    append: async (entry) => {
      if (entry.type === 'ranges' && entry.ranges.some(({ documents }) => documents > 0)) order.push('saved documents')
      return memory.append(entry)
    }
  }
  const open = source.open(() => true)
  let pages = 0
  const watched: MoveContainer = {
    ...open,
    read: async (identity, options) => {
      const document = await open.read(identity, options)
      await onRead?.(identityText(identity))
      return document
    },
    readChanges: async (request) => {
      const answer = await open.readChanges(request)
      if (answer.kind === 'page' && answer.documents.length > 0) onPage?.(++pages)
      return answer
    }
  }
  const written = target.open(() => true)
  const copier = new Copier({
    source: watched,
    target: {
      ...written,
      write: async (...args) => {
        await onWrite?.()
        return written.write(...args)
      }
    },
    mapper,
    index: versions ? { ...index, sync: async () => void order.push('synced places') } : undefined,
    journal,
    direction: 'forward',
    begin: 'beginning',
    readsVersions: versions,
    clock,
    wallMs: clock.now,
    random: random.next,
    hashOf: identityText,
    limits: { maxItems },
    holdMs
  })
  void copier.run(new AbortController().signal)
  const pass = (ms: number) => clock.runUntil(() => false, clock.now() + ms)
  return {
    clock,
    order,
    source,
    target,
    pass,
    status: () => copier.status,
    retryHeld: () => copier.retryRefused('held'),
    /** Both documents are in the source, and the first one has the place. */
    meet: async () => {
      source.apply(FIRST, { id: 'id', pk: 'pk-1', group: 'group', version: 1 })
      await pass(3000)
      source.apply(SECOND, { id: 'id', pk: 'pk-2', group: 'group', version: 2 })
      await pass(3000)
    },
    /** Key of the document whose copy is at the place. */
    holder: () => target.current(PLACE)?.body['pk'],
    rejected: () => [...journal.state().rejected.forward.values()]
  }
}
