import { describe, expect, it } from 'vitest'
import type { Identity } from '../../src/documents/identity.ts'
import type { Body } from '../simulation/simulated-document.ts'
import { createPair } from './simulated-pair.ts'

const bodyOf = (id: string, n: number): Body => ({ id, pk: 'x', n })
const at = (id: string): Identity => ({ key: ['x'], id })

/** A pair with one difference of each kind: `changed`, `extra` and `missing`. */
async function createDifferent() {
  const pair = createPair({ seed: 1, basis: 'identity' })
  const { source, target, placeOf, copyOf } = pair
  const put = (id: string, n: number): void => source.apply(at(id), bodyOf(id, n))
  const copy = (id: string, n: number): void => target.apply(placeOf(bodyOf(id, n)), copyOf(bodyOf(id, n)))
  const remove = (id: string): void => target.apply(placeOf(bodyOf(id, 0)), undefined)
  for (const id of ['changed', 'missing']) put(id, 2)
  for (const id of ['changed', 'extra']) copy(id, 1)
  const { differences } = await pair.compare()
  expect(differences.map(({ identity }) => identity.id).toSorted()).toStrictEqual(['changed', 'extra', 'missing'])
  const recheck = async (inCharge: 'source' | 'target') =>
    (await pair.recheck(differences, inCharge)).map(({ identity }) => identity.id).toSorted()
  return { ...pair, put, copy, remove, recheck }
}

describe('the documents of differences, read again', () => {
  it.each(['source', 'target'] as const)('all remain if nothing was repaired (in charge: %s)', async (inCharge) => {
    const { recheck } = await createDifferent()
    expect(await recheck(inCharge)).toStrictEqual(['changed', 'extra', 'missing'])
  })

  it('are equal after a repair', async () => {
    const { copy, remove, recheck } = await createDifferent()
    for (const id of ['changed', 'missing']) copy(id, 2)
    remove('extra')
    expect(await recheck('source')).toStrictEqual([])
  })

  it('remain after a repair that made them different again', async () => {
    const { copy, remove, recheck } = await createDifferent()
    for (const id of ['changed', 'missing']) copy(id, 3)
    remove('extra')
    expect(await recheck('source')).toStrictEqual(['changed', 'missing'])
  })

  it('do not count if the container in charge has changed them since', async () => {
    const { put, copy, source, recheck } = await createDifferent()
    put('changed', 4)
    source.apply(at('missing'), undefined)
    // created, copied, and deleted again
    copy('extra', 5)
    expect(await recheck('source')).toStrictEqual([])
  })

  it('remain if the container that is not in charge has changed them', async () => {
    const { put, remove, recheck } = await createDifferent()
    put('changed', 4)
    remove('extra')
    expect(await recheck('target')).toStrictEqual(['changed', 'missing'])
  })
})
