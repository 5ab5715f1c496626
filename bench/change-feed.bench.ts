import { ChangeFeedStartFrom, CosmosClient } from '@azure/cosmos'
import { type ChangeFeed, openChangeFeed } from '@keystamp/cosmos'
import { createTelemetry } from '@keystamp/testkit'
import { Agent, request } from 'node:http'
import { LINK, signed } from './writer/bare-request.ts'
import { CONTAINER, DATABASE, UNTHROTTLED, withContainer } from './writer/bench-container.ts'

export const question =
  'What does reading a document of 1 KB from the change feed cost, compared with requests of Node alone, and with the official client?'

const DOCUMENTS = 20_000
const PAGE = 300
const ROUNDS = 9

/** Reads the whole container in each turn, and counts the CPU of this process. */
export async function run(report: (line: string) => void): Promise<void> {
  await withContainer({ ...UNTHROTTLED, emulator: { ...UNTHROTTLED.emulator, latencyMs: 0 } }, async (target) => {
    const { big } = createTelemetry(1)
    let bytes = 0
    for (let index = 0; index < DOCUMENTS; index++) {
      const record = { ...big(), id: `document-${index}`, deviceId: `device-${index % 1000}` }
      bytes += JSON.stringify(record).length
      target.writer.submit({ kind: 'upsert', record }, () => undefined)
    }
    await target.writer.flush()
    report(`  ${DOCUMENTS} documents of ${Math.round(bytes / DOCUMENTS)} bytes, pages of ${PAGE}; CPU a document:`)
    const { endpoint, key } = target.emulator
    const agent = new Agent({ keepAlive: true })
    const feed = await openChangeFeed({ endpoint, key, database: DATABASE, container: CONTAINER })
    const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
    try {
      const ranges = await feed.feedRanges()
      const ways: readonly Way[] = [
        { name: 'requests of Node alone', read: () => readBare(endpoint, key, agent, ranges.length) },
        { name: 'openChangeFeed', read: () => readFeed(feed, ranges) },
        { name: 'getChangeFeedIterator of @azure/cosmos', read: () => readBySdk(client) }
      ]
      await compare(ways, report)
    } finally {
      feed.close()
      client.dispose()
      agent.destroy()
    }
  })
}

interface Way {
  readonly name: string
  /** Returns the number of documents. */
  readonly read: () => Promise<number>
}

async function compare(ways: readonly Way[], report: (line: string) => void): Promise<void> {
  const micros = ways.map((): number[] => [])
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, { name, read }] of ways.entries()) {
      const before = process.cpuUsage()
      const documents = await read()
      const { user, system } = process.cpuUsage(before)
      if (documents !== DOCUMENTS) throw new Error(`${name} has read ${documents} documents.`)
      if (round >= 0) micros[index].push((user + system) / documents)
    }
  }
  for (const [index, { name }] of ways.entries()) {
    const sorted = micros[index].toSorted((a, b) => a - b)
    const median = sorted[sorted.length >> 1]
    report(`  ${name.padEnd(42)} ${median.toFixed(1).padStart(6)} us (min ${sorted[0].toFixed(1)})`)
  }
}

async function readFeed(feed: ChangeFeed, ranges: Awaited<ReturnType<ChangeFeed['feedRanges']>>): Promise<number> {
  let documents = 0
  for (const range of ranges) {
    let from = 'beginning'
    for (;;) {
      const page = await feed.readChanges({ range, mode: 'latest', from, maxItems: PAGE })
      if (page.kind !== 'page') throw new Error('A range was split.')
      documents += page.documents.length
      from = page.position
      if (page.isEnd) break
    }
  }
  return documents
}

async function readBySdk(client: CosmosClient): Promise<number> {
  const iterator = client
    .database(DATABASE)
    .container(CONTAINER)
    .items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: PAGE })
  let documents = 0
  for (;;) {
    const page = await iterator.readNext()
    if (page.statusCode === 304) return documents
    documents += page.count
  }
}

/** Reads the same pages, and counts their documents by a header. */
async function readBare(endpoint: string, key: string, agent: Agent, ranges: number): Promise<number> {
  let documents = 0
  for (let range = 0; range < ranges; range++) {
    let etag: string | undefined
    for (;;) {
      const headers = {
        'A-IM': 'Incremental feed',
        'x-ms-documentdb-partitionkeyrangeid': String(range),
        'x-ms-max-item-count': String(PAGE),
        ...signed(key, 'get', 'docs'),
        ...(etag === undefined ? {} : { 'If-None-Match': etag })
      }
      const page = await get(new URL(`/${LINK}/docs`, endpoint), agent, headers)
      if (page.status === 304) break
      if (page.status !== 200) throw new Error(`The emulator answered ${page.status}.`)
      documents += page.items
      etag = page.etag
    }
  }
  return documents
}

interface BarePage {
  readonly status: number
  readonly items: number
  readonly etag: string | undefined
}

function get(url: URL, agent: Agent, headers: Readonly<Record<string, string>>): Promise<BarePage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () => {
        Buffer.concat(chunks)
        const items = Number(answer.headers['x-ms-item-count'] ?? 0)
        resolve({ status: answer.statusCode ?? 0, items, etag: answer.headers.etag })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}
