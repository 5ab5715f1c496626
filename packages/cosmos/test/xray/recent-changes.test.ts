import { describe, expect, it } from 'vitest'
import { type Changes, readRecentChanges, spreadOrder } from '../../src/xray/recent-changes.ts'
import { Allowance, RuLimiter } from '../../src/xray/ru-limiter.ts'
import type { XrayAnswer, XrayRequests } from '../../src/xray/xray-requests.ts'

const FROM = 1_770_000_000
const RU_PER_DOCUMENT = 0.5
const REQUEST_MS = 10

/** A container whose ranges get a number of documents each second, and a limiter that never waits. */
function containerWith(perSecond: Readonly<Record<string, number>>) {
  let nowMs = 0
  const clock = { now: () => nowMs, schedule: (_ms: number, run: () => void) => (run(), () => {}) }
  const limiter = new RuLimiter(1_000_000, clock)
  let chargeRu = 0
  const send = async ({ headers = {} }: Parameters<XrayRequests['send']>[0]): Promise<XrayAnswer> => {
    const rate = perSecond[headers['x-ms-documentdb-partitionkeyrangeid']]
    const since = Math.floor(Date.parse(headers['If-Modified-Since']) / 1000) + 1
    const first = Number(headers['If-None-Match'] ?? (since - FROM) * rate)
    const items = Number(headers['x-ms-max-item-count'])
    const count = Math.max(0, Math.min(items, 900 * rate - first))
    nowMs += REQUEST_MS
    chargeRu = 2.8 + count * RU_PER_DOCUMENT
    await limiter.run(0, () => Promise.resolve({ chargeRu, value: undefined }))
    const documents = Array.from({ length: count }, (_, index) => ({
      id: `${first + index}`,
      _ts: FROM + Math.floor((first + index) / rate)
    }))
    return count === 0
      ? { status: 304, chargeRu, headers: {}, json: undefined }
      : { status: 200, chargeRu, headers: { etag: String(first + count) }, json: { Documents: documents } }
  }
  return { limiter, clock, requests: { send, close: () => {} } }
}

async function readFrom(
  perSecond: Readonly<Record<string, number>>,
  allowedRu: number,
  allowedMs = 1e9,
  seconds = 900
) {
  const { limiter, clock, requests } = containerWith(perSecond)
  const seen: Changes[] = []
  const read = await readRecentChanges({
    requests,
    requestRu: limiter.requestRu,
    rangeIds: Object.keys(perSecond),
    routes: { leavesOf: (id) => [{ id, part: undefined }], follow: (_id, error) => Promise.reject(error) },
    period: { from: FROM, to: FROM + seconds },
    allowance: new Allowance(limiter, clock, allowedRu, allowedMs),
    onChanges: (changes) => seen.push(changes)
  })
  const countOf = (rangeId: string): number =>
    seen.filter((each) => each.rangeId === rangeId).reduce((sum, { documents }) => sum + documents.length, 0)
  return { read, countOf, chargeRu: limiter.chargeRu }
}

describe('reading the recent changes', () => {
  it('reads each document of the period once', async () => {
    const { read, countOf } = await readFrom({ '0': 2, '1': 5 }, 1_000_000)

    expect(read).toMatchObject({ seconds: 60, documents: 7 * 900 })
    expect([countOf('0'), countOf('1')]).toEqual([1800, 4500])
  })

  it('reads each document of a period that cannot be divided into equal windows', async () => {
    const { read } = await readFrom({ '0': 3 }, 1_000_000, 1e9, 100)

    expect(read).toMatchObject({ seconds: 7, documents: 300 })
  })

  it('reads the same seconds of every range if the period would cost too much', async () => {
    // all 990,000 documents would cost 500,000 RU
    const { read, countOf, chargeRu } = await readFrom({ '0': 1000, '1': 100 }, 60_000)

    expect(read.seconds).toBeLessThan(20)
    expect(read.read.length).toBeGreaterThan(10)
    expect(countOf('0') / countOf('1')).toBeCloseTo(10)
    expect(chargeRu).toBeLessThan(120_000)
  })

  it('stops after whole windows if even a second costs more than planned', async () => {
    const { read, chargeRu } = await readFrom({ '0': 5000 }, 8000)

    expect(read.read.length).toBeLessThan(15)
    expect(read.read.length).toBeGreaterThan(0)
    expect(chargeRu).toBeLessThan(25_000)
  })

  it('stops after whole windows when its time is over', async () => {
    const { read, countOf } = await readFrom({ '0': 20, '1': 20 }, 1_000_000, 300)

    expect(read).toMatchObject({ seconds: 60 })
    expect(read.read.length).toBeLessThan(10)
    expect([countOf('0'), countOf('1')]).toEqual([1200 * read.read.length, 1200 * read.read.length])
  })

  it('reads a merged range to its end, because an old document can follow new ones', async () => {
    const pages = [FROM + 890, FROM + 895, FROM + 3].map((second, at) => ({ id: `${at}`, _ts: second }))
    const { limiter, clock } = containerWith({})
    const seen: string[] = []
    const send = async ({ headers = {} }: Parameters<XrayRequests['send']>[0]): Promise<XrayAnswer> => {
      const at = Number(headers['If-None-Match'] ?? 0)
      const answer = { chargeRu: 3, headers: { etag: String(at + 1) } }
      if (at === pages.length) return { status: 304, ...answer, json: undefined }
      return { status: 200, ...answer, json: { Documents: [pages[at]] } }
    }
    await readRecentChanges({
      requests: { send, close: () => {} },
      requestRu: limiter.requestRu,
      rangeIds: ['0'],
      routes: {
        leavesOf: () => [{ id: '1', part: { min: '', max: '1F' }, isMerged: true }],
        follow: (_from, error) => Promise.reject(error)
      },
      period: { from: FROM, to: FROM + 900 },
      allowance: new Allowance(limiter, clock, 1e6, 1e9),
      onChanges: ({ documents }) => seen.push(...documents.map(({ id }) => id as string))
    })

    expect(seen.toSorted()).toEqual(['0', '1', '2'])
  })

  it('goes through the windows so that any first part of them is spread over the period', () => {
    expect(spreadOrder(15)).toHaveLength(15)
    expect([...spreadOrder(15).slice(0, 4)].toSorted((a, b) => a - b)).toEqual([0, 4, 8, 12])
    expect(spreadOrder(1)).toEqual([0])
  })
})
