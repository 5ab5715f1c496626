import { expect, it } from 'vitest'
import type { Identity } from '../../src/documents/identity.ts'
import { createSimulatedWorld, type SimulatedWorldOptions } from './simulated-world.ts'

const NAMES = Array.from({ length: 8 }, (_, each) => `id-${each}`)

it('several workers copy back, and only the changes of others in the old container are stragglers', async () => {
  const { old, created, moves, leader, world } = await startWayBack()
  for (const id of NAMES) created.apply(placeOf(id), { id, pk: 'pk', key: `pk-${id}`, version: 2 })
  await world.until(() => NAMES.every((id) => old.current(nameOf(id))?.body['version'] === 2))
  await world.pass(10_000)
  expect(moves.map(({ status }) => status.stragglers)).toStrictEqual([0, 0])

  old.apply(nameOf('id-0'), { id: 'id-0', pk: 'pk', version: 1 })
  old.apply(nameOf('new'), { id: 'new', pk: 'pk', version: 1 })
  await world.pass(10_000)
  expect(leader()?.status.stragglers).toBe(2)
  expect(world.failures).toStrictEqual([])
})

it('a copy whose original was deleted at once is no straggler, whichever worker has written it', async () => {
  const { old, created, leader, world } = await startWayBack({ hasPreviousImages: false, hasIndex: false })
  for (const id of NAMES) created.apply(placeOf(id), { id, pk: 'pk', key: `pk-${id}`, version: 2 })
  await world.until(() => NAMES.every((id) => old.current(nameOf(id))?.body['version'] === 2))
  for (const id of NAMES) created.apply(placeOf(id), undefined)
  await world.pass(20_000)

  // only a comparison finds such deletes
  expect(NAMES.every((id) => old.current(nameOf(id)) !== undefined)).toBe(true)
  expect(leader()?.status.stragglers).toBe(0)
  expect(world.failures).toStrictEqual([])
})

/** Two workers after the switch, both with ranges. */
async function startWayBack(options: SimulatedWorldOptions = {}) {
  const world = createSimulatedWorld(options)
  const { containers, start, until } = world
  const { forward: old, back: created } = containers
  for (const id of NAMES) old.apply(nameOf(id), { id, pk: 'pk', version: 1 })
  const moves = [start('one').move, start('other').move]
  const leader = () => moves.find(({ isCoordinator }) => isCoordinator)
  const asked = { isOver: false }
  await until(() => leader()?.status.phase === 'follow' && leader()!.status.gates.every(({ isMet }) => isMet))
  void leader()!
    .request('switch')
    .then(() => (asked.isOver = true))
  await until(() => leader()?.status.phase === 'reverse' && asked.isOver)
  for (let count = 0; count < 3; count++) created.split()
  await until(() => moves.every(({ held }) => held > 0))
  return { old, created, moves, leader, world }
}

function nameOf(id: string): Identity {
  return { key: ['pk'], id }
}

function placeOf(id: string): Identity {
  return { key: [`pk-${id}`], id }
}
