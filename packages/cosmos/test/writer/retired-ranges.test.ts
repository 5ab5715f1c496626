import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWriter, type Writer, type WriterStats } from '../../src/index.ts'
import { statsOf } from '../../src/writer/stats.ts'
import { allAnswered, startRouter, upsertOf } from '../simulation/start-router.ts'

describe('the counters of a writer', () => {
  let emulator: Emulator
  let writer: Writer

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off', latencyMs: 2, ruPerSecond: 1_000_000, ranges: 4 })
    await post('dbs', { id: 'db' })
    await post('dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
    writer = await createWriter({ endpoint: emulator.endpoint, key: emulator.key, database: 'db', container: 'c' })
  })

  afterEach(async () => {
    await writer.close(0)
    await emulator.stop()
  })

  it('never decrease while ranges are split', async () => {
    const falls: string[] = []
    const observed = new Set<string>()
    let before = countersOf(writer.stats())
    writer.events.on('batchAnswered', look)
    const looking = setInterval(look, 1)

    for (let round = 0; round < 2; round++) {
      await Promise.all([...write(200), emulator.split('db', 'c', writer.stats().ranges[0].id)])
    }
    await Promise.all(write(200))
    clearInterval(looking)
    look()

    const { ranges, retiredRanges, operations, chargedRu } = writer.stats()
    expect(falls).toEqual([])
    expect(retiredRanges.length).toBeGreaterThan(0)
    const all = [...ranges, ...retiredRanges]
    expect(all.reduce((sum, range) => sum + range.operations, 0)).toBe(operations)
    expect(all.reduce((sum, range) => sum + range.chargedRu, 0)).toBeCloseTo(chargedRu)
    // every range that was ever reported is still reported
    expect([...observed].filter((id) => all.every((range) => range.id !== id))).toEqual([])

    function look(): void {
      const now = countersOf(writer.stats())
      for (const [name, count] of before)
        if ((now.get(name) ?? 0) < count) falls.push(`${name} from ${count} to ${now.get(name)}`)
      for (const { id } of writer.stats().ranges) observed.add(id)
      before = now
    }
  })

  it('include a range that was split, even while its last requests are in flight', async () => {
    const halves = [
      { id: '1', min: '', max: '80', parents: ['0'] },
      { id: '2', min: '80', max: 'FF', parents: ['0'] }
    ]
    const { router, sent, settle } = startRouter({ refreshRanges: () => Promise.resolve(halves) })
    for (let index = 0; index < 300; index++) router.submit(upsertOf(`d${index}`))
    await settle()
    sent[0].answer(allAnswered(sent[0].request))
    await settle()
    expect(sent.length).toBeGreaterThan(2)
    const { chargedRu } = statsOf(router, NO_BUDGET)

    sent[1].answer({
      kind: 'refused',
      status: 410,
      subStatus: 1002,
      retryAfterMs: undefined,
      chargeRu: 0,
      activityId: undefined
    })
    await settle()

    expect(router.lanes.map(({ range }) => range.id)).toEqual(['1', '2'])
    expect(statsOf(router, NO_BUDGET)).toMatchObject({ chargedRu, retiredRanges: [{ id: '0', chargedRu }] })
    expect(chargedRu).toBeGreaterThan(0)
    router.stop(new Error('the end'))
  })

  function write(count: number): Promise<unknown>[] {
    return Array.from({ length: count }, (_, index) =>
      writer.write({ kind: 'upsert', record: { id: `d${index}`, pk: `k${index}` } })
    )
  }

  async function post(path: string, body: object): Promise<void> {
    const answer = await fetch(emulator.endpoint + path, { method: 'POST', body: JSON.stringify(body) })
    expect(answer.status).toBe(201)
  }
})

const NO_BUDGET = { ruPerSecond: undefined, unknown: undefined }

function countersOf(stats: WriterStats): Map<string, number> {
  const counters = new Map<string, number>([
    ['total RU', stats.chargedRu],
    ['total operations', stats.operations]
  ])
  for (const { id, chargedRu, operations, latencySumMs, latency, charge, fill } of [
    ...stats.ranges,
    ...stats.retiredRanges
  ]) {
    counters.set(`RU of ${id}`, chargedRu)
    counters.set(`operations of ${id}`, operations)
    counters.set(`time of ${id}`, latencySumMs)
    for (const [bucket, count] of [...latency, ...charge, ...fill].entries())
      counters.set(`bucket ${bucket} of ${id}`, count)
  }
  return counters
}
