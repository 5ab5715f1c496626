import { expect, it } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import { LEASE_MS } from '../simulation/simulated-shared-move.ts'
import type { SimulatedWorker } from '../simulation/simulated-worker.ts'
import { createSimulatedWorld } from './simulated-world.ts'

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

/** Freezes the process when the first documents arrive. */
function freezingAtDocuments(
  container: MoveContainer,
  process: SimulatedWorker,
  frozen: { is: boolean }
): MoveContainer {
  let isOver = false
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
