import { describe, expect, it } from 'vitest'
import { timeConcentration } from '../../src/model/time-concentration.ts'
import { createRandom } from '../../src/sample/random.ts'
import type { Reservoir } from '../../src/sample/reservoir.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** Records of thirty days in a random order; `keyOf` gives the position of the key from the day and a random number. */
function reservoirOf(records: number, keyOf: (day: number, random: number) => number, hasTime = true): Reservoir {
  const random = createRandom(11)
  const times = Float64Array.from({ length: records }, () => random() * DAYS * DAY_MS)
  const positions = Uint32Array.from(times, (time) => Math.floor(keyOf(Math.floor(time / DAY_MS), random()) * 2 ** 32))
  const bytes = new Uint32Array(records)
  return { size: records, records, times: hasTime ? times : null, bytes, keys: [{ ids: positions, positions }, null] }
}

/** Position of a key with this number, spread over the hash space. */
const positionOf = (key: number): number => (key * 0.618_033_988_75) % 1

function concentrationOf(reservoir: Reservoir, candidate = 0): (ranges: number) => number {
  return timeConcentration(reservoir, candidate, () => createRandom(1))
}

describe('the concentration of a key in time', () => {
  it('is close to 1 for a key that is the date, with many physical partitions', () => {
    const records = reservoirOf(20_000, positionOf)
    const concentration = concentrationOf(records)

    // a thirtieth of the records has one date
    expect(concentration(1000)).toBeGreaterThan(0.93)
    expect(concentration(1000)).toBeLessThan(0.97)
    // thirty dates are not quite even over two ranges
    expect(concentration(2)).toBeGreaterThan(0.4)
    expect(concentration(2)).toBeLessThan(0.5)
  })

  it('is about a fourth for a date that is joined with one of four values', () => {
    const concentration = concentrationOf(
      reservoirOf(20_000, (day, random) => positionOf(day * 4 + Math.floor(random * 4)))
    )

    expect(concentration(1000)).toBeGreaterThan(0.23)
    expect(concentration(1000)).toBeLessThan(0.27)
  })

  it.each([
    ['many devices', (_day: number, random: number) => positionOf(Math.floor(random * 5000))],
    [
      'one tenant with 40 % of the records',
      (_day: number, random: number) => positionOf(random < 0.4 ? 0 : random * 1e6)
    ]
  ])('is 0 for a key that does not depend on time: %s', (_title, keyOf) => {
    const concentration = concentrationOf(reservoirOf(20_000, keyOf))

    expect([1, 2, 16, 100].map((ranges) => concentration(ranges))).toEqual([0, 0, 0, 0])
  })

  it('is 0 if the records have no time, if the candidate was dropped, or if all records are from one day', () => {
    const oneDay = reservoirOf(1000, positionOf)
    oneDay.times!.fill(5 * DAY_MS)

    expect(concentrationOf(reservoirOf(20_000, positionOf, false))(10)).toBe(0)
    expect(concentrationOf(reservoirOf(20_000, positionOf), 1)(10)).toBe(0)
    expect(concentrationOf(oneDay)(10)).toBe(0)
  })
})
