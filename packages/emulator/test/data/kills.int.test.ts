/* oxlint-disable vitest/no-conditional-expect -- a range that was split or merged has other expectations */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Known, Lane } from './acknowledged-writes.ts'
import { type EmulatorChild, prepareChild, startChild } from './emulator-child.ts'
import { type PlainAnswer, send } from './plain-client.ts'

const ORDERS = '/dbs/shop/colls/orders'
const VERSIONS = '/dbs/shop/colls/versions'
/** Random numbers that are the same in each run with a seed. */
function seededRandom(): () => number {
  let state = Number(process.env['KEYSTAMP_SEED'] ?? 20_180_809)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const KILLS = Number(process.env['KEYSTAMP_TEST_KILLS'] ?? 24)

// checks L16
it(
  'nothing that was answered is lost, changed or reordered by SIGKILL at random moments',
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keystamp-kills-'))
    const random = seededRandom()
    let child = await startChild(folder, '--ranges', '2')
    await createContainers(child.endpoint)
    const lanes = ['a', 'b', 'c', 'd', 'e'].map((key) => new Lane(ORDERS, key, random))
    const versionLanes = ['f', 'g'].map((key) => new Lane(VERSIONS, key, random))
    const feed = new Feed()
    const facts: Facts = { ranges: [], offer: 12_000, unansweredOffer: undefined, sessions: [] }
    const firstVersion = (await readVersions(child.endpoint, '*')).headers.get('etag')!
    let compactions = 0
    let startNext = prepareChild(folder)
    for (let kill = 0; kill < KILLS; kill++) {
      const all = [...lanes, ...versionLanes]
      await runUntilKill({ child, folder, lanes: all, feed, facts, random })
      if (isCompacting(folder)) compactions += 1
      child = await startNext()
      if (kill + 1 < KILLS) startNext = prepareChild(folder)
      await compareItems(child.endpoint, ORDERS, lanes)
      await compareItems(child.endpoint, VERSIONS, versionLanes)
      await compareVersions(child.endpoint, firstVersion, versionLanes)
      await compareFacts(child.endpoint, facts)
      await feed.readToEnd(child.endpoint)
      expect(feed.latest(lanes)).toEqual(itemsOf(lanes))
    }
    await child.kill()
    rmSync(folder, { recursive: true })

    expect(lanes.reduce((sum, { changes }) => sum + changes.length, 0)).toBeGreaterThan(KILLS * 3)
    expect(compactions).toBeGreaterThan(0)
  }
)

async function createContainers(endpoint: string): Promise<void> {
  const headers = { 'x-ms-offer-throughput': '12000' }
  await send(endpoint, 'POST', '/dbs', { body: { id: 'shop' } })
  const partitionKey = { paths: ['/pk'], kind: 'Hash', version: 2 }
  await send(endpoint, 'POST', '/dbs/shop/colls', { body: { id: 'orders', partitionKey }, headers })
  const changeFeedPolicy = { retentionDuration: 60 }
  await send(endpoint, 'POST', '/dbs/shop/colls', { body: { id: 'versions', partitionKey, changeFeedPolicy }, headers })
}

interface Facts {
  /** The ranges by the last list that was read. */
  ranges: readonly RangeFact[]
  offer: number
  unansweredOffer: number | undefined
  sessions: string[]
}

interface RangeFact {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
  readonly parents: readonly string[]
  readonly lsn: number
}

interface Run {
  readonly child: EmulatorChild
  readonly folder: string
  readonly lanes: readonly Lane[]
  readonly feed: Feed
  readonly facts: Facts
  readonly random: () => number
}

function isCompacting(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith('.part'))
}

async function runUntilKill({ child, folder, lanes, feed, facts, random }: Run): Promise<void> {
  let isStopped = false
  const { endpoint } = child
  const others = [
    ...lanes.map((lane) =>
      lane.run(
        () => endpoint,
        () => isStopped
      )
    ),
    repeat(
      () => feed.readPage(endpoint),
      () => isStopped
    ),
    repeat(
      () => move(endpoint, facts, random),
      () => isStopped
    ),
    repeat(
      () => changeOffer(endpoint, facts, random),
      () => isStopped
    )
  ]
  // every other time while a snapshot is written
  if (random() < 0.5) await delay(random() * 400)
  else for (let ms = 0; ms < 800 && !isCompacting(folder); ms++) await delay(1)
  await child.kill()
  isStopped = true
  await Promise.all(others)
}

async function repeat(work: () => Promise<void>, isStopped: () => boolean): Promise<void> {
  try {
    while (!isStopped()) await work()
  } catch (error) {
    // the connection ends when the emulator is killed
    if (!(error instanceof TypeError)) throw error
  }
}

async function readRanges(endpoint: string): Promise<readonly RangeFact[]> {
  const { body } = await send(endpoint, 'GET', `${ORDERS}/pkranges`)
  return body.PartitionKeyRanges.map(({ id, minInclusive, maxExclusive, parents, lsn }: RangeFact) => ({
    id,
    minInclusive,
    maxExclusive,
    parents,
    lsn
  }))
}

/** Splits or merges a range, and reads the list of ranges. */
async function move(endpoint: string, facts: Facts, random: () => number): Promise<void> {
  facts.ranges = await readRanges(endpoint)
  await delay(20)
  const isSplit = random() < 6 / (facts.ranges.length + 4)
  const { id } = facts.ranges[Math.floor(random() * facts.ranges.length)]
  const verb = isSplit ? 'split' : 'merge'
  await send(endpoint, 'POST', `/_control/databases/shop/containers/orders/ranges/${id}/${verb}`, {
    body: { lockMs: 5 }
  })
}

async function changeOffer(endpoint: string, facts: Facts, random: () => number): Promise<void> {
  const rid = (await send(endpoint, 'GET', ORDERS)).body['_rid']
  const offers = (await send(endpoint, 'GET', '/offers')).body.Offers as Record<string, unknown>[]
  const offer = offers.find((each) => each['offerResourceId'] === rid)!
  const ruPerSecond = 4000 + Math.floor(random() * 100) * 100
  facts.unansweredOffer = ruPerSecond
  const body = { ...offer, content: { offerThroughput: ruPerSecond } }
  const answer = await send(endpoint, 'PUT', `/offers/${String(offer['_rid'])}`, { body })
  facts.unansweredOffer = undefined
  if (answer.status === 200) facts.offer = ruPerSecond
  await delay(10)
}

async function readItems(endpoint: string, path: string): Promise<Map<string, Map<string, Known>>> {
  const headers = { 'a-im': 'Incremental feed', 'x-ms-max-item-count': '-1' }
  const byKey = new Map<string, Map<string, Known>>()
  for (let etag: string | undefined = undefined; ;) {
    const from: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
    const answer = await send(endpoint, 'GET', `${path}/docs`, { headers: { ...headers, ...from } })
    if (answer.status === 304) return byKey
    for (const document of answer.body.Documents) {
      const items = byKey.get(document.pk) ?? new Map<string, Known>()
      items.set(document.id, { etag: document['_etag'], lsn: document['_lsn'], n: document.n })
      byKey.set(document.pk, items)
    }
    etag = answer.headers.get('etag')!
  }
}

async function compareItems(endpoint: string, path: string, lanes: readonly Lane[]): Promise<void> {
  const found = await readItems(endpoint, path)
  for (const lane of lanes) {
    const own = found.get(lane.key) ?? new Map<string, Known>()
    lane.settle(own)
    expect(Object.fromEntries(own)).toEqual(Object.fromEntries(lane.items))
  }
}

async function readVersions(endpoint: string, etag: string): Promise<PlainAnswer> {
  const headers = {
    'a-im': 'Full-Fidelity Feed',
    'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15',
    'x-ms-max-item-count': '-1',
    'if-none-match': etag
  }
  return send(endpoint, 'GET', `${VERSIONS}/docs`, { headers })
}

async function compareVersions(endpoint: string, first: string, lanes: readonly Lane[]): Promise<void> {
  const found = new Map<string, { lsn: number; text: string }[]>(lanes.map(({ key }) => [key, []]))
  for (let etag = first; ;) {
    const answer = await readVersions(endpoint, etag)
    if (answer.status === 304) break
    for (const { current, metadata } of answer.body.Documents) {
      const isDelete = metadata.operationType === 'delete'
      const key = isDelete ? metadata.partitionKey.pk : current.pk
      const text = isDelete ? `${metadata.id} deleted` : `${current.id} ${current.n}`
      found.get(key)!.push({ lsn: metadata.lsn, text })
    }
    etag = answer.headers.get('etag')!
  }
  for (const { key, changes } of lanes) {
    const read = found.get(key)!
    const lsns = read.map(({ lsn }) => lsn)
    expect(lsns).toEqual(lsns.toSorted((a, b) => a - b))
    // the changes of an atomic batch share one LSN, and are returned in any order
    const ordered = read.toSorted((a, b) => a.lsn - b.lsn || (a.text < b.text ? -1 : 1))
    expect(ordered.map(({ text }) => text)).toEqual(changes)
  }
}

async function compareFacts(endpoint: string, facts: Facts): Promise<void> {
  const ranges = await readRanges(endpoint)
  for (const known of facts.ranges) {
    const range = ranges.find(({ id }) => id === known.id)
    // a split or merge after the list was read replaces a range
    if (range === undefined) expect(ranges.some(({ id }) => Number(id) > Number(known.id))).toBe(true)
    else {
      expect({ ...range, lsn: 0 }).toEqual({ ...known, lsn: 0 })
      expect(range.lsn).toBeGreaterThanOrEqual(known.lsn)
    }
  }
  const rid = (await send(endpoint, 'GET', ORDERS)).body['_rid']
  const offers = (await send(endpoint, 'GET', '/offers')).body.Offers as Record<string, any>[] // oxlint-disable-line typescript/no-explicit-any -- JSON
  const now = offers.find((each) => each['offerResourceId'] === rid)!['content'].offerThroughput as number
  expect([facts.offer, facts.unansweredOffer]).toContain(now)
  facts.offer = now
  facts.unansweredOffer = undefined
}

function itemsOf(lanes: readonly Lane[]): Record<string, string> {
  return Object.fromEntries(
    lanes.flatMap(({ key, items }) => [...items].map(([id, { etag }]) => [`${key} ${id}`, etag]))
  )
}

/** A client that reads the change feed of the container from page to page, and keeps its position across kills. */
class Feed {
  readonly #etags: Map<string, string> = new Map()
  #position: string | undefined = undefined

  async readPage(endpoint: string): Promise<void> {
    await this.#read(endpoint)
  }

  async readToEnd(endpoint: string): Promise<void> {
    while (await this.#read(endpoint));
  }

  /** The ETags of the items that exist, by what the feed returned. */
  latest(lanes: readonly Lane[]): Record<string, string> {
    const isStored = (name: string): boolean =>
      lanes.some(({ key, items }) => [...items.keys()].some((id) => `${key} ${id}` === name))
    return Object.fromEntries([...this.#etags].filter(([name]) => isStored(name)))
  }

  async #read(endpoint: string): Promise<boolean> {
    const from: Record<string, string> = this.#position === undefined ? {} : { 'if-none-match': this.#position }
    const headers = { 'a-im': 'Incremental feed', 'x-ms-max-item-count': '7', ...from }
    const answer = await send(endpoint, 'GET', `${ORDERS}/docs`, { headers })
    if (answer.status === 410) {
      await delay(2)
      return true
    }
    if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.text)
    for (const document of answer.body?.Documents ?? [])
      this.#etags.set(`${document.pk} ${document.id}`, document['_etag'])
    this.#position = answer.headers.get('etag')!
    return answer.status === 200
  }
}
