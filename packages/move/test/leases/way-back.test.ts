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

it.each([
  { what: 'a worker that has ended', isAlone: false },
  { what: 'a worker that coordinates since', isAlone: true }
])('a copy of $what is no change of others when those that have ended are started again', async ({ isAlone }) => {
  const left: Identity[] = []
  const { old, created, leader, workers, world } = await startWayBack({
    hasPreviousImages: false,
    hasIndex: false,
    compare: async () => ({
      isEqual: left.length === 0,
      disagreements: left.map((place) => ({ identity: placeOf(place.id), places: [place] })),
      unsettled: 0
    })
  })
  for (const id of NAMES) created.apply(placeOf(id), { id, pk: 'pk', key: `pk-${id}`, version: 2 })
  await world.until(() => NAMES.every((id) => old.current(nameOf(id))?.body['version'] === 2))
  // before the coordinator has seen the copies
  const [first, second] = workers[0].move.isCoordinator ? ['one', 'other'] : ['other', 'one']
  for (const { process, move } of workers) if (!isAlone || move.isCoordinator) process.kill()
  for (const id of NAMES) created.apply(placeOf(id), undefined)
  left.push(...NAMES.map((id) => nameOf(id)))
  if (!isAlone) workers.push(world.start(`${second} again`))
  await world.until(() => (leader()?.status.stragglers ?? 0) > 0)

  workers.push(world.start(`${first} again`))
  await world.until(() => leader()?.status.stragglers === 0)
  await world.until(() => NAMES.every((id) => old.current(nameOf(id)) === undefined))
  expect(world.failures).toStrictEqual([])
})

/** Two workers after the switch, both with ranges. */
async function startWayBack(options: SimulatedWorldOptions = {}) {
  const world = createSimulatedWorld(options)
  const { containers, start, until } = world
  const { forward: old, back: created } = containers
  for (const id of NAMES) old.apply(nameOf(id), { id, pk: 'pk', version: 1 })
  const workers = [start('one'), start('other')]
  const moves = workers.map(({ move }) => move)
  const leader = () => workers.find(({ process, move }) => process.isAlive() && move.isCoordinator)?.move
  const asked = { isOver: false }
  await until(() => leader()?.status.phase === 'follow' && leader()!.status.gates.every(({ isMet }) => isMet))
  void leader()!
    .request('switch')
    .then(() => (asked.isOver = true))
  await until(() => leader()?.status.phase === 'reverse' && asked.isOver)
  for (let count = 0; count < 3; count++) created.split()
  await until(() => moves.every(({ held }) => held > 0))
  return { old, created, moves, workers, leader, world }
}

function nameOf(id: string): Identity {
  return { key: ['pk'], id }
}

function placeOf(id: string): Identity {
  return { key: [`pk-${id}`], id }
}
