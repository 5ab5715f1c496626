import { expect, it } from 'vitest'
import type { Identity } from '../../src/documents/identity.ts'
import { createSimulatedWorld } from './simulated-world.ts'

const NAMES = Array.from({ length: 12 }, (_, each) => `id-${each}`)

it('several workers find deletes and former keys of the copies that they have written, without previous images', async () => {
  const { containers, start, until, pass } = createSimulatedWorld({ hasPreviousImages: false, basis: 'fields' })
  const { forward: source, back: target } = containers
  for (const id of NAMES) source.apply(nameOf(id), bodyOf(id, 'one'))
  for (let count = 0; count < 3; count++) source.split()
  const moves = [start('one').move, start('other').move]
  await until(() => moves.every(({ held }) => held > 0))
  // the ranges stay where they are from now on
  await pass(60_000)
  for (const id of NAMES) source.apply(nameOf(id), bodyOf(id, 'two'))
  await until(() => NAMES.every((id) => target.current({ key: ['two'], id }) !== undefined))
  await pass(5000)
  expect(target.bodies().map(({ body }) => body['group'])).toStrictEqual(NAMES.map(() => 'two'))

  for (const id of NAMES) source.apply(nameOf(id), undefined)
  await until(() => target.bodies().length === 0)
})

function nameOf(id: string): Identity {
  return { key: [`pk-${id}`], id }
}

function bodyOf(id: string, group: string): { readonly id: string; readonly pk: string; readonly group: string } {
  return { id, pk: `pk-${id}`, group }
}
