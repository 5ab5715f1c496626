import { CosmosError } from '@keystamp/cosmos'
import { expect, it } from 'vitest'
import { createMovedContainers, startMove } from './started-move.ts'

it('a move that stood still for longer than the retention says so, and goes on by comparisons', async () => {
  const containers = createMovedContainers()
  const { old, created } = containers
  const first = startMove(containers)
  await first.reach('follow')
  first.end()
  await first.pass(1000)
  old.apply({ key: ['pk'], id: 'a' }, undefined)
  old.apply({ key: ['pk'], id: 'd' }, { id: 'd', pk: 'pk', version: 2 })

  const next = startMove(containers, {
    entries: first.journal.entries,
    onRead: ({ mode, from }) => {
      if (mode === 'versions' && from !== 'now')
        throw new CosmosError('COSMOS_REFUSED', 'The position is outside of the retention.', { statusCode: 400 })
    },
    compare: async () => {
      const places = [{ key: ['pk-a'], id: 'a' }].filter((place) => created.current(place) !== undefined)
      const disagreements = places.map((place) => ({ identity: { key: ['pk'], id: 'a' }, places: [place] }))
      return { isEqual: disagreements.length === 0, disagreements, unsettled: 0 }
    }
  })
  await next.pass(10_000)
  expect(next.steps.filter((step) => step.includes('lost'))).toStrictEqual(['the feed of all versions is lost'])
  expect(next.journal.state().ranges.forward).toStrictEqual([expect.objectContaining({ versions: null })])
  expect(created.bodies().map(({ body }) => body.id)).toStrictEqual(['b', 'c', 'd'])
  const asked = next.switch()
  await next.reach('reverse')
  expect(await asked).toMatchObject({ isDone: true })
})
