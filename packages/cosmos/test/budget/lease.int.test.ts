import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { startRedis, maxInASecond, type Spent } from '@keystamp/testkit'
import { Redis } from 'ioredis'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createLease, type Lease, type LeaseOptions } from '../../src/budget/lease.ts'
import type { LedgerEntry, LedgerReport } from '../../src/budget/ledger.ts'

const redis = await startRedis()
const opened: Lease[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((lease) => lease.close()))
})

afterAll(async () => {
  if ('url' in redis) await redis.stop()
})

describe('createLease', () => {
  it('lets a single process spend the whole budget and no more', async () => {
    const taken = await spend([open({ ruPerSecond: 1000 })], 1500)

    expect(taken.perSecond).toBeGreaterThan(MIN_SHARE * 1000)
    expect(taken.maxInASecond).toBeLessThanOrEqual(1000)
  })

  it('has a separate budget for each range', async () => {
    const lease = open({ ruPerSecond: 1000 })

    const both = await Promise.all([spend([lease], 1000, 'a'), spend([lease], 1000, 'b')])

    for (const { perSecond } of both) expect(perSecond).toBeGreaterThan(MIN_SHARE * 1000)
  })

  it('follows a changed budget', async () => {
    const lease = open({ ruPerSecond: 1000 })
    await spend([lease], 300)

    lease.setBudget(4000)

    expect((await spend([lease], 1000)).perSecond).toBeGreaterThan(MIN_SHARE * 4000)
  })

  it('resolves waiting requests with undefined when their range is retired', async () => {
    const lease = open({ ruPerSecond: 1 })
    const waiting = lease.ask('0', { minRu: 1000, maxRu: 1000, reports: () => [] })

    lease.retire('0')

    expect(await waiting).toBeUndefined()
  })

  it('retries when the ledger fails, and reports the failure', async () => {
    const troubles: string[] = []
    let failures = 2
    const ask = async (): Promise<LedgerEntry> => {
      if (failures-- > 0) throw new Error('READONLY')
      return { ru: 7, inMs: 0 }
    }
    const slots = { ready: Promise.resolve(), next: async () => {}, retire: () => {}, close: async () => {} }
    const lease = createLease(
      { ruPerSecond: 1000, onError: ({ message }) => troubles.push(message) },
      { now: () => 5, open: () => ({ slots, ledger: { ask } }) }
    )

    expect(await lease.ask('0', { minRu: 7, maxRu: 7, reports: () => [] })).toMatchObject({ ru: 7, fromMs: 5 })
    expect(troubles).toEqual(['READONLY', 'READONLY'])
  })

  it('reports that Redis does not answer, without the password of its address', async () => {
    const lease = open({ ruPerSecond: 1000, shared: { redis: 'redis://:secret@127.0.0.1:1', name: 'budget' } })

    await expect(lease.ready).rejects.toMatchObject({
      code: 'BUDGET_UNREACHABLE',
      retriable: true,
      message:
        'Redis at 127.0.0.1:1 does not answer (ECONNREFUSED). Check the address in `sharedThrough` (`--redis` of a load), or leave it out.'
    })
  })

  it('reports the reason why Redis refuses the connection', async () => {
    const server = createServer((socket) => {
      socket.on('data', () => socket.write('-DENIED This one is in protected mode.\r\n'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const lease = open({ ruPerSecond: 1000, shared: { redis: `redis://127.0.0.1:${port}`, name: 'budget' } })

    await expect(lease.ready).rejects.toMatchObject({
      code: 'BUDGET_UNREACHABLE',
      retriable: false,
      message:
        `Redis at 127.0.0.1:${port} refuses us: DENIED This one is in protected mode. ` +
        'Check the address in `sharedThrough` (`--redis` of a load), or leave it out.'
    })
    server.close()
  })
})

describe.skipIf('missing' in redis)(
  `createLease over Redis ${'missing' in redis ? `(skipped: ${redis.missing})` : ''}`,
  () => {
    // checks L7
    it('lets two leases that share a budget spend no more than the budget in total', async () => {
      const shared = { redis: (redis as { url: string }).url, name: 'two' }
      const leases = [open({ ruPerSecond: 1000, shared }), open({ ruPerSecond: 1000, shared })]
      await Promise.all(leases.map((lease) => lease.ready))

      const [taken, alone] = await Promise.all([spend(leases, 1500), spendAlone(1500)])

      expect(taken.perSecond).toBeGreaterThan(MIN_SHARE * alone.perSecond)
      expect(taken.maxInASecond).toBeLessThanOrEqual(1000)
      for (const share of taken.shares) expect(share).toBeGreaterThan(0.25)
    })

    it('lets one lease use the whole budget while the other one requests no RU', async () => {
      const shared = { redis: (redis as { url: string }).url, name: 'one of two' }
      const [busy, idle] = [open({ ruPerSecond: 1000, shared }), open({ ruPerSecond: 1000, shared })]
      await Promise.all([busy.ready, idle.ready])
      await idle.ask('0', { minRu: 1, maxRu: 1, reports: () => [] })

      const [taken, alone] = await Promise.all([spend([busy], 1200), spendAlone(1200)])

      expect(taken.perSecond).toBeGreaterThan(MIN_SHARE * alone.perSecond)
    })

    // each process has its own clock; without a correction, a process with a slow clock would wait for the difference
    // at each slot
    it('divides the budget between processes whose clocks differ', async () => {
      const shared = { redis: (redis as { url: string }).url, name: 'clocks' }
      const leases = [open({ ruPerSecond: 1000, shared }), open({ ruPerSecond: 1000, shared })]
      await Promise.all(leases.map((lease) => lease.ready))
      // the rate to compare with is measured, because it depends on the load of this machine
      const withOneClock = await spend(leases, 1000)
      const { now } = Date
      let calls = 0
      vi.spyOn(Date, 'now').mockImplementation(() => now() + (calls++ % 2) * 700)

      const taken = await spend(leases, 1500)

      expect(taken.perSecond).toBeGreaterThan(MIN_SHARE * withOneClock.perSecond)
      expect(taken.maxInASecond).toBeLessThanOrEqual(1000)
    })

    // happens when Redis restarts without its data, or when a process is suspended for longer than the others wait
    // for it
    it.each(['settings', 'client_last_seen'])('continues when Redis has lost the key %s', async (what) => {
      const { url } = redis as { url: string }
      const lease = open({ ruPerSecond: 1000, shared: { redis: url, name: what } })
      await lease.ready
      await lease.ask('0', { minRu: 60, maxRu: 60, reports: () => [] })

      const client = new Redis(url)
      await client.del(`b_keystamp:${what}:0_${what}`)
      client.disconnect()

      const [taken, alone] = await Promise.all([spend([lease], 600), spendAlone(600)])

      expect(taken.perSecond).toBeGreaterThan(MIN_SHARE * alone.perSecond)
    })
  }
)

// A slot that comes late on a busy machine is lost. A limiter that waits for the heartbeat of 5 s would reach only 0.2.
const MIN_SHARE = 0.6

/**
 * Measures the rate of one lease over Redis at the same time, on the same busy machine: slots that come late are lost
 * for both.
 */
async function spendAlone(ms: number) {
  const lease = open({
    ruPerSecond: 1000,
    shared: { redis: (redis as { url: string }).url, name: `alone ${Math.random()}` }
  })
  await lease.ready
  return spend([lease], ms)
}

function open(options: LeaseOptions): Lease {
  const lease = createLease(options)
  opened.push(lease)
  return lease
}

/**
 * Spends as much as the leases grant for some time. The rate does not count the time in which this process did not run.
 */
async function spend(leases: readonly Lease[], ms: number, range = '0') {
  const start = performance.now()
  const stalls = countStalls()
  const spent: (Spent & { readonly by: number })[] = []
  await Promise.all(
    leases.map(async (lease, by) => {
      let reports: readonly LedgerReport[] = []
      while (performance.now() - start < ms) {
        const grant = await lease.ask(range, { minRu: 7, maxRu: 7, reports: () => reports })
        if (grant === undefined) return
        while (performance.now() < grant.fromMs) await setTimeout(Math.ceil(grant.fromMs - performance.now()))
        const atMs = performance.now()
        const isInTime = atMs <= grant.untilMs
        reports = [{ id: grant.id, afterMs: atMs - grant.startMs, ru: isInTime ? grant.ru : 0 }]
        if (isInTime) spent.push({ atMs, ru: grant.ru, by })
        else lease.correct(range, grant.ru)
      }
    })
  )
  const sum = (some: typeof spent): number => some.reduce((total, { ru }) => total + ru, 0)
  return {
    perSecond: sum(spent) / ((ms - stalls.end()) / 1000),
    shares: leases.map((_, by) => sum(spent.filter((one) => one.by === by)) / sum(spent)),
    maxInASecond: maxInASecond(spent)
  }
}

/** Counts the milliseconds by which timers of this process were late, if they were late by more than two slots. */
function countStalls(): { readonly end: () => number } {
  let stalledMs = 0
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const lateMs = nowMs - lastMs - TICK_MS
    if (lateMs > TWO_SLOTS_MS) stalledMs += lateMs
    lastMs = nowMs
  }, TICK_MS)
  return {
    end: () => {
      clearInterval(timer)
      return stalledMs
    }
  }
}

const TICK_MS = 5
const TWO_SLOTS_MS = 100
