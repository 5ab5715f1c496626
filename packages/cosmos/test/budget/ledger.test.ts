import { describe, expect, it } from 'vitest'
import { createLocalLedger, type LedgerRequest } from '../../src/budget/ledger.ts'

const BUDGET = 1000
const VALID_MS = 30

describe('a ledger', () => {
  it('grants requests at once while the budget lasts, and further requests when the earlier grants are older than a second', async () => {
    const { ask, time } = start()
    expect(await ask('a', 700)).toEqual({ ru: 700, inMs: 0 })
    time.ms = 500

    expect(await ask('b', 300)).toEqual({ ru: 300, inMs: 0 })
    expect(await ask('c', 500)).toEqual({ ru: 500, inMs: 531 })
  })

  it('counts an entry from the time at which its RU were spent, once that time is reported', async () => {
    const { ask } = start()
    await ask('a', 1000)

    expect(await ask('b', 1000, { reports: [{ id: 'a', afterMs: 4, ru: 1000 }] })).toEqual({ ru: 1000, inMs: 1005 })
  })

  it('adds RU that were granted and not used to the budget, and deducts RU that were used without a grant', async () => {
    const { ask, time } = start()
    await ask('a', 500)
    time.ms = 400
    await ask('b', 500)
    time.ms = 900

    const reports = [
      { id: 'a', afterMs: 0, ru: 0 },
      { id: 'b', afterMs: 0, ru: 600 }
    ]
    expect(await ask('c', 400, { reports })).toEqual({ ru: 400, inMs: 0 })
    expect(await ask('d', 10)).toMatchObject({ inMs: 400 + 1001 - 900 })
  })

  it('grants the rest of the budget if it is at least the requested minimum', async () => {
    const { ask, time } = start()
    await ask('a', 980)
    time.ms = 800

    expect(await ask('b', 40, { minRu: 10 })).toEqual({ ru: 20, inMs: 0 })
    expect(await ask('c', 40, { minRu: 10 })).toMatchObject({ ru: 40, inMs: 231 })
  })

  it('does not let small requests starve a large one', async () => {
    const { ask } = start()
    await ask('a', 600)

    expect(await ask('b', 800)).toMatchObject({ inMs: 1031 })
    expect((await ask('c', 10)).inMs).toBeGreaterThanOrEqual(1031)
  })

  it('grants an operation that costs more than the budget of a second, in a second without other grants', async () => {
    const { ask } = start()
    await ask('a', 10)

    expect(await ask('b', 2500)).toEqual({ ru: 2500, inMs: 1031 })
    expect((await ask('c', 10)).inMs).toBeGreaterThanOrEqual(2062)
  })

  it('spreads grants over the second, and catches up after a pause', async () => {
    const { ask, time } = start()
    const waits: number[] = []
    for (const [id, ms] of [0, 0, 0, 0, 0, 500, 500, 500, 500, 500].entries()) {
      time.ms = ms
      waits.push((await ask(String(id), 60)).inMs)
    }

    expect(waits.map(Math.round)).toEqual([0, 0, 0, 37, 89, 0, 0, 0, 37, 89])
  })

  it('creates only one entry for two requests with the same id', async () => {
    const { ask, time } = start()
    await ask('a', 600)

    expect(await ask('a', 600)).toEqual({ ru: 600, inMs: 0 })
    time.ms = 500
    expect(await ask('b', 400)).toEqual({ ru: 400, inMs: 0 })
  })

  it('accepts reports without a grant', async () => {
    const { ask, time } = start()
    await ask('a', 1000)
    time.ms = 300

    expect(await ask('b', 0, { reports: [{ id: 'a', afterMs: 0, ru: 400 }] })).toEqual({ ru: 0, inMs: 0 })
    expect(await ask('c', 600)).toEqual({ ru: 600, inMs: 0 })
  })
})

function start() {
  const time = { ms: 0 }
  const ledger = createLocalLedger(() => time.ms)
  const ask = (id: string, maxRu: number, more: Partial<LedgerRequest> = {}) =>
    ledger.ask('0', { id, minRu: maxRu, maxRu, ruPerSecond: BUDGET, validMs: VALID_MS, reports: [], ...more })
  return { ask, time }
}
