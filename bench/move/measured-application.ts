import { CosmosClient } from '@azure/cosmos'
import { documentOf } from './moved-containers.ts'

/** An application that reads and replaces documents at a fixed rate until standard input ends; as JSON in the first argument. */
export interface ApplicationSettings {
  readonly endpoint: string
  readonly key: string
  readonly documents: number
  readonly perSecond: number
  readonly textBytes: number
}

/** Requests in the order of their answers. */
export interface MeasuredRequests {
  /** When each request was due, in milliseconds since 1970. */
  readonly dueMs: readonly number[]
  /** Time from then to the answer, with all repetitions. */
  readonly latencyMs: readonly number[]
  /** Repetitions after throttling. */
  readonly throttled: readonly number[]
}

const { endpoint, key, documents, perSecond, textBytes } = JSON.parse(process.argv[2]) as ApplicationSettings
const client = new CosmosClient({ endpoint, key })
const container = client.database('bench').container('old')
const measured = { dueMs: [] as number[], latencyMs: [] as number[], throttled: [] as number[] }
const open = new Set<Promise<void>>()
const end = new AbortController()
process.stdin.resume().on('end', () => end.abort())

const originMs = performance.timeOrigin
const begun = performance.now()
for (let number = 0; !end.signal.aborted;) {
  for (; number < ((performance.now() - begun) / 1000) * perSecond; number++) {
    // a request counts from the time at which it was due, also if the one before was slow
    const sent = send(number, begun + (number * 1000) / perSecond)
    open.add(sent)
    void sent.then(() => open.delete(sent))
  }
  await new Promise((resolve) => setTimeout(resolve, 1))
}
await Promise.all(open)
client.dispose()
process.stdout.write(JSON.stringify(measured satisfies MeasuredRequests))

/** Nine of ten requests are point reads, the others replace a document. */
async function send(number: number, dueMs: number): Promise<void> {
  // a step that visits all documents in another order than that of the feed
  const document = documentOf((number * 7919) % documents, textBytes)
  const item = container.item(document.id, document['deviceId'] as string)
  const { headers } = await (number % 10 > 0 ? item.read() : item.replace({ ...document, changed: number }))
  measured.dueMs.push(originMs + dueMs)
  measured.latencyMs.push(performance.now() - dueMs)
  measured.throttled.push(Number(headers['x-ms-throttle-retry-count'] ?? 0))
}
