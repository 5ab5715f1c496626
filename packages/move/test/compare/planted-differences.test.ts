import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { Comparison } from '../../src/compare/compare-containers.ts'
import type { DifferenceKind } from '../../src/compare/difference.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'
import type { Body } from '../simulation/simulated-document.ts'
import { createPair, type PairOptions, type SimulatedPair } from './simulated-pair.ts'

/** Kinds of planted differences, each with what a comparison must find. */
const PLANTS = ['missing', 'extra', 'different', 'misplaced', 'duplicate', 'misplaced and different'] as const
type Plant = (typeof PLANTS)[number]

const FOUND: Readonly<Record<Plant, DifferenceKind>> = {
  missing: 'missing',
  extra: 'extra',
  different: 'different',
  misplaced: 'misplaced',
  duplicate: 'extra',
  'misplaced and different': 'misplaced'
}

const WITH_PLAN: readonly NonNullable<PairOptions['basis']>[] = ['identity', 'fields']

describe('planted differences', () => {
  // checks L21
  it('are found, each of them once and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(undefined, ...WITH_PLAN),
        fc.nat(),
        fc.array(fc.constantFrom(...PLANTS), { maxLength: 12 }),
        fc.nat(60),
        async (basis, seed, plants, equal) => {
          const pair = createPair({ seed, basis })
          const planted = plants.filter((kind) => basis !== undefined || SAME_KEY.has(kind))
          const expected = planted.map((kind, index) => plant(pair, kind, bodyOf(pair, `wrong-${index}`)))
          for (let index = 0; index < equal; index++) addEqual(pair, bodyOf(pair, `equal-${index}`))
          for (let splits = pair.random.below(4); splits > 0; splits--)
            pair.random.pick([pair.source, pair.target]).split()

          const comparison = await pair.compare()

          expect(found(comparison)).toEqual(expected.toSorted())
          expect(comparison.isEqual).toBe(planted.length === 0)
          expect(comparison.unsettled).toEqual([])
        }
      ),
      { numRuns: 60 }
    )
  })

  it.each(WITH_PLAN)('are found in groups of buckets that are opened one after the other (%s)', async (basis) => {
    const pair = createPair({ seed: 7, basis })
    const expected = Array.from({ length: 40 }, (_, index) =>
      plant(pair, PLANTS[index % PLANTS.length], bodyOf(pair, `wrong-${index}`))
    )
    for (let index = 0; index < 200; index++) addEqual(pair, bodyOf(pair, `equal-${index}`))

    const comparison = await pair.compare({ limits: { maxOpenDocuments: 7, maxFindings: 1000 } })

    expect(found(comparison)).toEqual(expected.toSorted())
  })

  // checks L21
  it('are found if two equal mistakes cancel in an exclusive or', async () => {
    const pair = createPair({ seed: 1, basis: 'fields' })
    const body = bodyOf(pair, 'one')
    addEqual(pair, body)
    // the same document twice more
    for (const group of ['other', 'third'])
      pair.target.apply({ key: [group], id: body.id }, { ...body, key: pair.placeOf(body).key[0] })

    expect(found(await pair.compare())).toEqual(['extra one', 'extra one'])
  })

  it('are counted up to a limit, and the comparison says that it ended early', async () => {
    const pair = createPair({ seed: 3, basis: 'identity' })
    for (let index = 0; index < 30; index++) plant(pair, 'missing', bodyOf(pair, `wrong-${index}`))

    const comparison = await pair.compare({ limits: { maxFindings: 10 } })

    expect(comparison.differences).toHaveLength(10)
    expect(comparison.isComplete).toBe(false)
    expect((await pair.compare({ limits: { maxFindings: 30 } })).isComplete).toBe(true)
  })
})

/** Without a plan, and with the same key in both containers, the place is part of the identity. */
const SAME_KEY: ReadonlySet<Plant> = new Set(['missing', 'extra', 'different'])

function found({ differences }: Comparison): readonly string[] {
  return differences.map(({ kind, identity }) => `${kind} ${identity.id}`).toSorted()
}

function bodyOf({ random }: SimulatedPair, id: string): Body {
  return { id, pk: `pk-${random.below(4)}`, group: `group-${random.below(4)}`, text: random.text(8, 'abc') }
}

function addEqual({ source, target, placeOf, copyOf }: SimulatedPair, body: Body): void {
  source.apply(sourcePlace(body), body)
  target.apply(placeOf(body), copyOf(body))
}

function sourcePlace(body: Body): Identity {
  return { key: [String(body['pk'])], id: body.id }
}

/** Adds a document with one difference, and returns what must be found. */
function plant(pair: SimulatedPair, kind: Plant, body: Body): string {
  const { source, target, placeOf, copyOf } = pair
  const place = placeOf(body)
  const wrong = { ...place, key: [`wrong ${identityText(place)}`] }
  if (kind !== 'extra') source.apply(sourcePlace(body), body)
  if (kind === 'extra' || kind === 'duplicate') target.apply(place, copyOf(body))
  if (kind === 'different') target.apply(place, { ...copyOf(body), text: 'other' })
  if (kind === 'misplaced' || kind === 'duplicate') target.apply(wrong, copyOf(body))
  if (kind === 'misplaced and different') target.apply(wrong, { ...copyOf(body), text: 'other' })
  return `${FOUND[kind]} ${body.id}`
}
