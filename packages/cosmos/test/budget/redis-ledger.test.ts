import { startRedis } from '@keystamp/testkit'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalLedger, type Ledger } from '../../src/budget/ledger.ts'
import { createRedisLedger } from '../../src/budget/redis-ledger.ts'

const BUDGET = 1000
const VALID_MS = 30
const redis = await startRedis()

describe.skipIf('missing' in redis)(
  `a ledger in Redis ${'missing' in redis ? `(skipped: ${redis.missing})` : ''}`,
  () => {
    let client: Redis
    let names = 0

    beforeAll(() => {
      client = new Redis((redis as { readonly url: string }).url)
    })

    afterAll(async () => {
      client.disconnect()
      await (redis as { readonly stop: () => Promise<void> }).stop()
    })

    /** Creates a ledger whose time is a value in Redis. */
    function startInRedis(): { readonly ledger: Ledger; readonly setTime: (ms: number) => Promise<unknown> } {
      const name = `ledger-${names++}`
      const ledger = createRedisLedger(Promise.resolve(client), name, `tonumber(redis.call('GET', '${name}-time'))`)
      return { ledger, setTime: (ms) => client.set(`${name}-time`, ms) }
    }

    // checks L7
    it('agrees with the ledger in memory', { timeout: 60_000 }, async () => {
      const step = fc.record({
        afterMs: fc.oneof(
          fc.constant(0),
          fc.integer({ min: 0, max: 20_000 }).map((n) => n / 100)
        ),
        maxRu: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.double({ min: 1, max: 1500, noNaN: true })),
        minPart: fc.constantFrom(0.25, 1),
        reports: fc.array(
          fc.record({
            back: fc.integer({ min: 1, max: 5 }),
            afterMs: fc.integer({ min: 0, max: 40 }),
            part: fc.double({ min: 0, max: 2, noNaN: true })
          }),
          { maxLength: 3 }
        )
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const { ledger, setTime } = startInRedis()
          const time = { ms: 1_700_000_000_000 }
          const model = createLocalLedger(() => time.ms)
          for (const [index, { afterMs, maxRu, minPart, reports }] of steps.entries()) {
            time.ms += afterMs
            const reported = reports.map(({ back, part, ...report }) => ({
              ...report,
              id: String(index - back),
              ru: (steps[index - back]?.maxRu ?? 0) * part
            }))
            // a request never has two reports of one entry
            const once = reported.filter(({ id }, at) => reported.findIndex((other) => other.id === id) === at)
            const ask = {
              id: String(index),
              minRu: maxRu * minPart,
              maxRu,
              ruPerSecond: BUDGET,
              validMs: VALID_MS,
              reports: once
            }
            await setTime(time.ms)
            const [given, expected] = [await ledger.ask('0', ask), await model.ask('0', ask)]
            expect(given.ru).toBeCloseTo(expected.ru, 6)
            expect(given.inMs).toBeCloseTo(expected.inMs, 2)
          }
        }),
        { numRuns: 60 }
      )
    })

    it('continues when the clock of Redis is set back', async () => {
      const { ledger, setTime } = startInRedis()
      const ask = { minRu: 1000, maxRu: 1000, ruPerSecond: BUDGET, validMs: 0, reports: [] }
      await setTime(1_700_000_000_000)
      await ledger.ask('0', { ...ask, id: 'a' })
      await setTime(1_600_000_000_000)

      expect(await ledger.ask('0', { ...ask, id: 'b' })).toEqual({ ru: 1000, inMs: 1001 })
      await setTime(1_600_000_000_400)
      expect(await ledger.ask('0', { ...ask, id: 'c' })).toEqual({ ru: 1000, inMs: 1602 })
    })

    it('stores its data with an expiry, so that none remains in Redis', async () => {
      const { ledger, setTime } = startInRedis()
      await setTime(1_700_000_000_000)
      await ledger.ask('0', { id: 'a', minRu: 1, maxRu: 1, ruPerSecond: BUDGET, validMs: 0, reports: [] })

      expect(await client.pttl(`keystamp:ledger-${names - 1}:0:ledger`)).toBeGreaterThan(0)
    })
  }
)
