import { DELETED } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import { createMarker } from '../../src/markers/marker.ts'
import { bodyOf } from '../simulation/simulated-document.ts'
import { LEASE_MS, MAX_REQUEST_AGE_MS } from '../simulation/simulated-shared-move.ts'
import type { SimulatedContainer } from '../simulation/simulated-container.ts'
import type { SimulatedWorker } from '../simulation/simulated-worker.ts'
import { createSimulatedWorld, type SimulatedWorld } from './simulated-world.ts'

const NAME = { key: ['pk-0'], id: 'id-0' }
const COPY = { key: ['pk-0-id-0'], id: 'id-0' }

// checks L22
it('a worker that stands still longer than its lease writes nothing that it has read before, so that a document that was deleted meanwhile stays deleted', async () => {
  const { containers, start, until, pass } = createSimulatedWorld()
  const { forward: source, back: target } = containers
  const applied: string[] = []
  target.onApply = (_, before, after) =>
    applied.push(after === undefined ? 'deleted' : before === undefined ? 'created' : 'replaced')
  source.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
  const frozen = { is: false }
  start('frozen', (container, process) => freezingAtDocuments(container, process, frozen))
  await until(() => frozen.is)
  start('successor')
  await until(() => target.current(COPY) !== undefined)
  source.apply(NAME, undefined)
  await until(() => target.current(COPY) === undefined)
  expect(frozen.is).toBe(true)
  await until(() => !frozen.is)
  await pass(3 * LEASE_MS)

  expect(applied).toStrictEqual(['created', 'deleted'])
})

// without a fence, so that the test is known to send a late create
describe.each([
  { isFenced: true, left: 'marker' },
  { isFenced: false, left: 'stale' }
] as const)('a create that is applied after the lease of its sender (fence: $isFenced)', ({ isFenced, left }) => {
  // checks L22
  it('meets a marker if the document was copied and deleted meanwhile, with a fence only', async () => {
    const { containers, start, until, pass } = createSimulatedWorld({ isFenced })
    const { forward: source, back: target } = containers
    source.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
    const { held } = startHolding(start)
    await until(() => held.is)
    start('successor')
    await until(() => contentOf(target) === 'stale')
    source.apply(NAME, undefined)
    await until(() => contentOf(target) !== 'stale')
    await pass(HELD_MS)

    expect(contentOf(target)).toBe(left)
  })

  // checks L22
  it('meets a marker if the document was deleted before another worker could copy it, with a fence only', async () => {
    const { containers, start, until, pass } = createSimulatedWorld({ isFenced })
    const { forward: source, back: target } = containers
    source.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
    const { held } = startHolding(start)
    await until(() => held.is)
    source.apply(NAME, undefined)
    const { move } = start('successor')
    await until(() => move.status.phase === 'follow' && move.held > 0)
    await pass(HELD_MS)

    expect(contentOf(target)).toBe(left)
  })

  // checks L22
  it('leaves no marker in a container in charge, and none after the move', async () => {
    const { containers, start, until } = createSimulatedWorld({ isFenced })
    const { forward: source, back: target } = containers
    source.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
    const { move } = start('only')
    await until(() => contentOf(target) === 'stale' && move.status.phase === 'follow')
    source.apply(NAME, undefined)
    await until(() => contentOf(target) !== 'stale')
    expect(contentOf(target)).toBe(isFenced ? 'marker' : undefined)
    void move.request('switch')
    await until(() => move.status.phase === 'reverse')
    expect(contentOf(target)).toBe(undefined)
    target.apply(COPY, { id: 'id-0', pk: 'pk-0', key: 'pk-0-id-0', version: 2 })
    await until(() => source.current(NAME) !== undefined)
    target.apply(COPY, undefined)
    await until(() => source.current(NAME)?.body['version'] !== 2)
    expect(source.current(NAME) !== undefined).toBe(isFenced)
    void move.request('finish')
    await until(() => move.status.phase === 'finished')

    expect(source.current(NAME)).toBe(undefined)
  })
})

describe('a switch with a fence', () => {
  // checks L22
  it('waits until the containers refuse all requests of a worker that has not confirmed', async () => {
    const { containers, start, until, pass } = createSimulatedWorld({ isFenced: true })
    const { forward: source, back: target } = containers
    source.apply(NAME, { id: 'id-0', pk: 'pk-0', version: 1 })
    const { held } = startHolding(start)
    await until(() => held.is)
    const { move } = start('successor')
    await until(() => contentOf(target) === 'stale')
    source.apply(NAME, undefined)
    await until(() => contentOf(target) === 'marker' && move.status.phase === 'follow')
    void move.request('switch')
    await until(() => move.status.phase === 'reverse')
    expect(contentOf(target)).toBe(undefined)
    await pass(HELD_MS)

    expect(contentOf(target)).toBe(undefined)
  })

  // checks L22
  it('is followed by the removal of a marker that arrives late', async () => {
    const { containers, start, until } = createSimulatedWorld({ isFenced: true })
    const { move } = start('only')
    await until(() => move.status.phase === 'follow')
    void move.request('switch')
    await until(() => move.status.phase === 'reverse')
    const { back: target } = containers
    target.apply(COPY, bodyOf(createMarker(COPY, target.definition.partitionKey).stamped))
    await until(() => contentOf(target) !== 'marker')

    expect(contentOf(target)).toBe(undefined)
  })
})

const HELD_MS = 6 * LEASE_MS

/** Starts a worker that stands still between its check of the lease and its first create. */
function startHolding(start: SimulatedWorld['start']): { readonly held: { is: boolean } } {
  const held = { is: false }
  let isCreate = false
  const noting = (container: MoveContainer): MoveContainer => ({
    ...container,
    write: (write, fence) => {
      isCreate = container.name === 'target' && write.kind === 'create'
      const written = container.write(write, fence)
      isCreate = false
      return written
    }
  })
  start('frozen', noting, () => {
    if (held.is || !isCreate) return 0
    held.is = true
    return MAX_REQUEST_AGE_MS - 1000
  })
  return { held }
}

function contentOf(target: SimulatedContainer): 'marker' | 'stale' | undefined {
  const body = target.current(COPY)?.body
  return body && (body[DELETED] === true ? 'marker' : 'stale')
}

/** Freezes the process when the first documents arrive. */
function freezingAtDocuments(
  container: MoveContainer,
  process: SimulatedWorker,
  frozen: { is: boolean }
): MoveContainer {
  let isOver = false
  if (container.name !== 'source') return container
  return {
    ...container,
    readChanges: async (request) => {
      const answer = await container.readChanges(request)
      if (isOver || answer.kind !== 'page' || answer.documents.length === 0) return answer
      isOver = frozen.is = true
      process.freeze(4 * LEASE_MS)
      await process.moves()
      frozen.is = false
      return answer
    }
  }
}
