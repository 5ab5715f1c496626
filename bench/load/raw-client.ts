import { Agent, request } from 'node:http'
import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'

const BATCH = 100
const CONNECTIONS = 16
const RANGES = 4

/**
 * Sends prepared upserts as fast as the emulator accepts them, which shows the limit of the emulator. Resolves with the
 * milliseconds.
 */
export async function sendRaw(endpoint: string, records: number): Promise<number> {
  const requests = requestsOf(Math.min(records, DISTINCT))
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const { hostname, port } = new URL(endpoint)
  let next = 0
  const last = Math.ceil(records / BATCH)
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < last) await send(requests[next++ % requests.length])
    })
  )
  agent.destroy()
  return performance.now() - start

  function send({ range, body }: RawRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { ...HEADERS, 'x-ms-documentdb-partitionkeyrangeid': range, 'content-length': body.length }
      const call = request(
        { agent, hostname, port, method: 'POST', path: '/dbs/d/colls/c/docs', headers },
        (answer) => {
          answer.resume()
          answer.once('end', () =>
            answer.statusCode === 200 ? resolve() : reject(new Error(`The emulator answered ${answer.statusCode}.`))
          )
        }
      )
      call.once('error', reject)
      call.end(body)
    })
  }
}

// with more distinct records, the time would depend on how fast this process reads its own memory
const DISTINCT = 20_000

const HEADERS = {
  'x-ms-cosmos-is-batch-request': 'true',
  'x-ms-cosmos-batch-atomic': 'false',
  'x-ms-cosmos-batch-continue-on-error': 'true',
  prefer: 'return=minimal'
}

interface RawRequest {
  readonly range: string
  readonly body: Buffer
}

function requestsOf(records: number): readonly RawRequest[] {
  const { big } = createTelemetry(42)
  const ranges = rangesOf(RANGES)
  const open = new Map<string, object[]>(ranges.map(({ id }) => [id, []]))
  const requests: RawRequest[] = []
  for (let made = 0; made < records; made++) {
    const record = big()
    const partitionKey = record.VIN
    const range = ownerOf(ranges, partitionHash([partitionKey], { version: 2 }))!.id
    const batch = open.get(range)!
    batch.push({
      operationType: 'Upsert',
      partitionKey: JSON.stringify([partitionKey]),
      resourceBody: { ...record, partitionKey }
    })
    if (batch.length === BATCH) requests.push({ range, body: Buffer.from(JSON.stringify(batch.splice(0))) })
  }
  return requests
}
