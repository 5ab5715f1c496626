import { expect, it } from 'vitest'
import type { Identity } from '../../src/documents/identity.ts'
import type { Comparison, Disagreement } from '../../src/phases/compare-containers.ts'
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
  const compare = async () => ({
    isEqual: disagreements.length === 0,
    disagreements,
    unsettled: 0,
    remaining: async () => disagreements.slice(0, 1)
  })
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
  expect(move.status.compared).toMatchObject({ differences: 1, ofOthers: 1 })
  expect(old.current(deleted)).toBeUndefined()
  expect(old.current(late)?.body['version']).toBe(2)
})

// checks L20
it('a copy of the process before, whose original was deleted since, is no change of others, and a comparison removes it', async () => {
  const { containers, first } = await startWayBack()
  const { old, created } = containers
  created.apply(placeOf('new'), { id: 'new', pk: 'pk', key: 'pk-new', version: 2 })
  await containers.clock.runUntil(() => old.current(nameOf('new')) !== undefined, containers.clock.now() + 5000)
  first.end()
  await first.pass(1000)
  created.apply(placeOf('new'), undefined)

  const next = startMove(containers, {
    entries: first.journal.entries,
    readsVersions: false,
    compare: async () => comparisonOf(old.current(nameOf('new')) === undefined ? [] : ['new'])
  })
  await next.pass(10_000)
  expect(next.move.status.stragglers).toBe(0)
  expect(old.current(nameOf('new'))).toBeUndefined()
})

it.each([
  { what: 'was deleted', decide: ({ old }: Containers) => old.apply(nameOf('late'), undefined) },
  {
    what: 'was written to the container in charge, too',
    decide: ({ created }: Containers) => created.apply(placeOf('late'), { ...LATE, key: 'pk-late' })
  }
])('a comparison forgets a change of others whose document $what', async ({ decide }) => {
  let ids: readonly string[] = []
  const { containers, first } = await startWayBack({ compare: async () => comparisonOf(ids) })
  const { move, pass } = first
  containers.old.apply(nameOf('late'), LATE)
  await pass(5000)
  ids = ['late']
  void move.request('compare')
  await pass(5000)
  expect(move.status.stragglers).toBe(1)
  expect(await answerOf(first, 'back')).toMatch(
    /found 1 difference\. One of these documents was written by other programs .* run `keystamp rekey compare`\.$/
  )

  decide(containers)
  ids = []
  void move.request('compare')
  await pass(5000)
  expect(move.status.stragglers).toBe(0)
  expect(await answerOf(first, 'back')).toBe('source is in charge now.')
})

it('a way back is possible soon after the document of others is deleted, without asking for a comparison', async () => {
  const { containers, first } = await startWayBack({
    compare: async ({ old }) => comparisonOf(old.current(nameOf('late')) === undefined ? [] : ['late'])
  })
  containers.old.apply(nameOf('late'), LATE)
  void first.move.request('compare')
  await first.pass(20_000)
  expect(await answerOf(first, 'back')).toContain('other programs')
  containers.old.apply(nameOf('late'), undefined)
  await first.pass(60_000)
  expect(await answerOf(first, 'back')).toBe('source is in charge now.')
})

// checks L20
it('a comparison does not undo a change of others that comes while it reads', async () => {
  const { containers, first } = await startWayBack({
    compare: async ({ old }) => {
      if (old.current(nameOf('late')) === undefined) old.apply(nameOf('late'), LATE)
      return comparisonOf(['late'])
    }
  })
  void first.move.request('compare')
  await first.pass(15_000)
  expect(containers.old.current(nameOf('late'))?.body['version']).toBe(LATE.version)
  expect(first.move.status.stragglers).toBe(1)
})

type Containers = ReturnType<typeof createMovedContainers>

const LATE = { id: 'late', pk: 'pk', version: 2 }

/** A process after the switch, which finds deletes by comparisons only. The comparison is used from then on. */
async function startWayBack({ compare }: { readonly compare?: (containers: Containers) => Promise<Comparison> } = {}) {
  const containers = createMovedContainers()
  const isBack = (): boolean => first.journal.state().phase === 'reverse'
  const first = startMove(containers, {
    readsVersions: false,
    compare: async () => (compare !== undefined && isBack() ? compare(containers) : comparisonOf([]))
  })
  void first.switch()
  await first.reach('reverse')
  await first.pass(3000)
  return { containers, first }
}

/** Message of a step. */
async function answerOf({ move, pass }: Pick<StartedMove, 'move' | 'pass'>, step: 'back'): Promise<string> {
  let message = ''
  const asked = async (): Promise<void> => {
    ;({ message } = await move.request(step))
  }
  void asked()
  await pass(20_000)
  return message
}

type StartedMove = ReturnType<typeof startMove>

/** A comparison after the switch that finds these documents in the old container only. */
function comparisonOf(ids: readonly string[]): Comparison {
  const disagreements = ids.map((id) => ({ identity: placeOf(id), places: [nameOf(id)] }))
  return { isEqual: ids.length === 0, disagreements, unsettled: 0 }
}

function nameOf(id: string): Identity {
  return { key: ['pk'], id }
}

function placeOf(id: string): Identity {
  return { key: [`pk-${id}`], id }
}
