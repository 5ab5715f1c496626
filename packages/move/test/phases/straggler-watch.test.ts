import { expect, it } from 'vitest'
import type { Disagreement } from '../../src/phases/compare-containers.ts'
import { createMovedContainers, startMove } from './started-move.ts'

it('a write to the old container after the switch is still known after a restart', async () => {
  const containers = createMovedContainers()
  const { old } = containers
  const first = startMove(containers)
  void first.switch()
  await first.reach('reverse')
  old.apply({ key: ['pk'], id: 'late' }, { id: 'late', pk: 'pk', version: 2 })
  await first.pass(5000)
  expect(first.move.status.stragglers).toBe(1)
  first.end()
  await first.pass(1000)

  const next = startMove(containers, { entries: first.journal.entries })
  await next.pass(5000)
  expect(next.move.status.stragglers).toBe(1)
})

it('a comparison repairs what only the move has written, although others write to the old container, too', async () => {
  const containers = createMovedContainers()
  const { old, created } = containers
  const [late, deleted] = ['late', 'a'].map((id) => ({ key: ['pk'], id }))
  let disagreements: readonly Disagreement[] = []
  const compare = async () => ({ isEqual: disagreements.length === 0, disagreements, unsettled: 0 })
  const { move, reach, pass, switch: request } = startMove(containers, { compare })
  void request()
  await reach('reverse')
  old.apply(late, { id: 'late', pk: 'pk', version: 2 })
  // without previous images, the place of the original is not known
  created.apply({ key: ['pk-a'], id: 'a' }, undefined)
  await pass(5000)
  disagreements = [late, deleted].map((place) => ({
    identity: { key: [`pk-${place.id}`], id: place.id },
    places: [place]
  }))
  void move.request('compare')
  await pass(5000)
  expect(old.current(deleted)).toBeUndefined()
  expect(old.current(late)?.body['version']).toBe(2)
})
