import { createRandom, VirtualClock } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import type { DocumentWrite, MoveContainer } from '../../src/containers/move-container.ts'
import { IdentityQueue, type IdentityQueueOptions } from '../../src/copy/identity-queue.ts'
import { OpenPage } from '../../src/copy/open-page.ts'
import { ReadOrder } from '../../src/copy/read-order.ts'
import { createMemoryIndex } from '../simulation/memory-index.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { createSimulatedMapper } from '../simulation/simulated-mapper.ts'

const NAME = { key: ['pk-1'], id: 'id' }
const BODY = { id: 'id', pk: 'pk-1', group: 'old', version: 1 }
const OLD = { key: ['old'], id: 'id' }
const NEW = { key: ['new'], id: 'id' }

it('a version on a page that was requested before its document was read again is not created', async () => {
  const { source, target, order, pass, startQueue } = createWorld()
  const queue = startQueue()
  source.apply(NAME, BODY)
  const request = order.beginPage()
  const version = (await pass(source.open(() => true).read(NAME)))!
  source.apply(NAME, undefined)
  queue.reconcile(NAME, [])
  await pass(queue.idle())

  const page = new OpenPage(request, 'none', () => {})
  queue.put(version, page)
  page.settle()
  await pass(queue.idle())

  expect(target.bodies()).toStrictEqual([])
})

it('a copy is deleted although the replica that is asked for it does not have it yet', async () => {
  const { target, pass, startQueue } = createWorld()
  target.apply(OLD, { ...BODY, key: 'old' })
  let reads = 0
  const queue = startQueue({
    asTarget: (container) => ({
      ...container,
      read: async (...args) => (++reads === 1 ? undefined : container.read(...args))
    })
  })

  queue.reconcile(NAME, [OLD])
  await pass(queue.idle())

  expect(target.bodies()).toStrictEqual([])
})

it('the place of a copy whose delete was refused is known after a restart', async () => {
  const { source, target, pass, startQueue } = createWorld()
  const index = createMemoryIndex()
  for (const place of [OLD, NEW]) await index.add(NAME, place)
  source.apply(NAME, { ...BODY, group: 'new' })
  for (const place of [OLD, NEW]) target.apply(place, { ...BODY, key: place.key[0] })
  let [reads, deletes] = [0, 0]
  const ended = startQueue({
    index,
    // the process ends after the refused delete
    asSource: (container) => ({
      ...container,
      read: (...args) => (++reads === 1 ? container.read(...args) : new Promise<never>(() => {}))
    }),
    asTarget: (container) => ({
      ...container,
      write: (write: DocumentWrite) => {
        // a late write of the process before
        if (write.kind === 'delete' && write.identity.key[0] === 'old' && ++deletes === 1)
          target.apply(OLD, { ...BODY, key: 'old', version: 2 })
        return container.write(write)
      }
    })
  })
  ended.reconcile(NAME, [])
  await pass(undefined)
  expect(reads).toBe(2)

  const queue = startQueue({ index })
  queue.reconcile(NAME, [])
  await pass(queue.idle())

  expect(target.bodies().map(({ identity }) => identity)).toStrictEqual([NEW])
})

it('the place of a copy whose document does not exist any more is free', async () => {
  const { source, target, order, pass, startQueue } = createWorld()
  const rejected: (string | null)[] = []
  target.apply(OLD, { ...BODY, pk: 'pk-gone', key: 'old' })
  source.apply(NAME, BODY)
  const version = (await pass(source.open(() => true).read(NAME)))!
  const queue = startQueue({ onRejected: (_, code) => rejected.push(code) })

  const page = new OpenPage(order.beginPage(), 'some', () => {})
  queue.put(version, page)
  page.settle()
  await pass(queue.idle())

  expect(target.current(OLD)?.body['pk']).toBe('pk-1')
  expect(rejected).not.toContain('PLACE_TAKEN')
})

interface StartOptions extends Partial<Pick<IdentityQueueOptions, 'index' | 'onRejected'>> {
  readonly asSource?: (container: MoveContainer) => MoveContainer
  readonly asTarget?: (container: MoveContainer) => MoveContainer
}

function createWorld() {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const shared = { hasPreviousImages: false, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 10 }
  const source = new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared })
  const target = new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  const order = new ReadOrder()
  const failures: unknown[] = []
  return {
    source,
    target,
    order,
    /** Lets time pass, and returns the result of what ends meanwhile. */
    pass: async <T>(work: Promise<T> | undefined): Promise<T | undefined> => {
      await clock.runUntil(() => false, clock.now() + 10_000)
      expect(failures).toStrictEqual([])
      return work
    },
    startQueue: ({ asSource, asTarget, ...options }: StartOptions = {}) => {
      const [from, to] = [source.open(() => true), target.open(() => true)]
      return new IdentityQueue({
        source: asSource?.(from) ?? from,
        target: asTarget?.(to) ?? to,
        mapper: createSimulatedMapper('fields'),
        index: undefined,
        order,
        clock,
        wallMs: clock.now,
        random: random.next,
        sessionTokenOf: () => undefined,
        onRejected: () => {},
        onFailure: (error) => failures.push(error),
        ...options
      })
    }
  }
}
