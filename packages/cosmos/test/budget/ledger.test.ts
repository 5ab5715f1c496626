import { describe, expect, it } from 'vitest'
import { createLocalLedger, type LedgerRequest } from '../../src/budget/ledger.ts'

const BUDGET = 1000
const VALID_MS = 30

describe('a ledger', () => {
  it('grants every request while the budget allows it, and the rest when earlier grants have left the second', async () => {
    const { ask, time } = start()
    expect(await ask('a', 700)).toEqual({ ru: 700, inMs: 0 })
    time.ms = 500

    expect(await ask('b', 300)).toEqual({ ru: 300, inMs: 0 })
    expect(await ask('c', 500)).toEqual({ ru: 500, inMs: 531 })
  })

  it('counts from the use of an entry, once that is reported', async () => {
    const { ask } = start()
    await ask('a', 1000)

    expect(await ask('b', 1000, { reports: [{ id: 'a', afterMs: 4, ru: 1000 }] })).toEqual({ ru: 1000, inMs: 1005 })
  })

  it('has room again for what was not used, and less for what cost more', async () => {
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

  it('grants the rest of the budget where that is useful', async () => {
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

  it('gives one operation that costs more than a second that second alone', async () => {
    const { ask } = start()
    await ask('a', 10)

    expect(await ask('b', 2500)).toEqual({ ru: 2500, inMs: 1031 })
    expect((await ask('c', 10)).inMs).toBeGreaterThanOrEqual(2062)
  })

  it('spreads grants over the second, and makes up for a pause', async () => {
    const { ask, time } = start()
    const waits: number[] = []
    for (const [id, ms] of [0, 0, 0, 0, 0, 500, 500, 500, 500, 500].entries()) {
      time.ms = ms
      waits.push((await ask(String(id), 60)).inMs)
    }

    expect(waits.map(Math.round)).toEqual([0, 0, 0, 37, 89, 0, 0, 0, 37, 89])
  })

  it('makes one entry of two requests with the same id', async () => {
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
