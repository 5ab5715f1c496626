import { waitFor } from '@keystamp/core/internal'
import { expect, it } from 'vitest'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { createSimulatedWorld } from './simulated-world.ts'

it('a comparison of workers ends although the application writes all the time', async () => {
  const lost = { identity: { key: ['pk-0'], id: 'id-0' }, places: [] }
  const compare = async (): Promise<Comparison> => {
    return { isEqual: false, disagreements: [lost], unsettled: 0, remaining: async () => [] }
  }
  const { containers, start, until, pass } = createSimulatedWorld({ compare })
  let version = 0
  const write = (): void => {
    const id = `id-${version % 50}`
    containers.forward.apply({ key: ['pk-0'], id }, { id, pk: 'pk-0', version: ++version })
  }
  write()
  // so slow that some documents always have work
  const { move } = start('worker', (container, { clock }) => ({
    ...container,
    write: async (...args) => {
      await waitFor(300, clock)
      return container.write(...args)
    }
  }))
  await until(() => move.status.phase === 'follow')
  for (let step = 0; step < 3000 && move.status.compared === undefined; step++) {
    write()
    await pass(3)
  }

  expect(move.status.compared).toMatchObject({ isEqual: true })
})
