import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { CONTAINER, DATABASE, type BenchContainer } from './bench-container.ts'
import type { Keyed } from './ways.ts'

export const LINK = `dbs/${DATABASE}/colls/${CONTAINER}`

/** The minimum that any client has to do: a hand-written request for a single record. */
export interface BareRequests {
  readonly send: (record: Keyed) => Promise<void>
  readonly end: () => void
}

export async function createBareRequests({ emulator: { endpoint, key } }: BenchContainer): Promise<BareRequests> {
  const agent = new Agent({ keepAlive: true })
  // the range may be wrong for a record: only the time of the request matters
  const rangeId = await firstRangeOf(endpoint, key)
  return { send: (record) => send({ endpoint, key, agent, rangeId }, record), end: () => agent.destroy() }
}

async function firstRangeOf(endpoint: string, key: string): Promise<string> {
  const headers = signed(key, 'get', 'pkranges')
  const answer = await fetch(new URL(`/${LINK}/pkranges`, endpoint), { headers })
  const { PartitionKeyRanges: ranges } = (await answer.json()) as {
    readonly PartitionKeyRanges: readonly { readonly id: string }[]
  }
  return ranges[0].id
}

interface Target {
  readonly endpoint: string
  readonly key: string
  readonly agent: Agent
  readonly rangeId: string
}

function send({ endpoint, key, agent, rangeId }: Target, record: Keyed): Promise<void> {
  const partitionKey = JSON.stringify([record.deviceId])
  const body = Buffer.from(JSON.stringify([{ operationType: 'Upsert', partitionKey, resourceBody: record }]))
  const headers = {
    ...signed(key, 'post', 'docs'),
    'x-ms-cosmos-is-batch-request': 'true',
    'x-ms-cosmos-batch-atomic': 'false',
    'x-ms-cosmos-batch-continue-on-error': 'true',
    'x-ms-documentdb-partitionkeyrangeid': rangeId,
    prefer: 'return=minimal',
    'content-type': 'application/json',
    'content-length': body.length
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(`/${LINK}/docs`, endpoint), { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

export function signed(key: string, verb: string, type: string): Record<string, string> {
  const date = new Date().toUTCString()
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${verb}\n${type}\n${LINK}\n${date.toLowerCase()}\n\n`)
    .digest('base64')
  return {
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    'x-ms-date': date,
    'x-ms-version': '2020-07-15'
  }
}
