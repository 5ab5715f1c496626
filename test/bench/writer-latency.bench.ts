import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createTelemetry } from '@keystamp/lab'
import { CONTAINER, control, DATABASE, inPlace, type Place } from './writer/place.ts'
import { median, quantile, ratioOf, type Runner, type Taken, takeTurns, timeOf } from './writer/turns.ts'
import { byBulkCall, byWrite } from './writer/ways.ts'

export const question = 'How soon is something written: a few hundred records, records that were throttled once, a single one?'

const LATENCY_MS = 5
const FLUSHED = 500
const IN_A_ROW = 5
const THROTTLED = 100
const RETRY_AFTER_MS = 50
const LONE = 500

export async function run(report: (line: string) => void): Promise<void> {
  const emulator = { ruPerSecond: 40_000, throttle: false, latencyMs: LATENCY_MS }
  await inPlace({ emulator, share: 10_000_000 }, async (place) => {
    await compareFlushes(place, report)
    await compareLoneRecords(place, report)
  })
  // all in one range, so that one batch holds them all
  await inPlace({ emulator: { ...emulator, ranges: 1 }, share: 10_000_000 }, (place) => compareThrottled(place, report))
}

async function compareFlushes(place: Place, report: (line: string) => void): Promise<void> {
  report(`  ${FLUSHED} records of 1 KB and a flush, ${IN_A_ROW} times one after another, ${LATENCY_MS} ms latency; for each flush:`)
  const runners = bothWays(place, FLUSHED, 2).map(({ name, run }) => ({ name, run: () => inARow(run) }))
  const taken = await takeTurns(runners, 7, 2)
  reportTimes(
    taken.map((one) => ({ ...one, ms: one.ms.map((ms) => ms / IN_A_ROW) })),
    report
  )
}

async function inARow(run: () => Promise<unknown>): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (let turn = 0; turn < IN_A_ROW; turn++) await run()
}

async function compareThrottled(place: Place, report: (line: string) => void): Promise<void> {
  const status = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: RETRY_AFTER_MS }
  const prepare = async (): Promise<void> => {
    await control(place.emulator, 'DELETE', 'faults')
    await control(place.emulator, 'POST', 'faults', { on: 'bulkOperation', count: THROTTLED, action: status })
  }
  const runners = bothWays(place, THROTTLED, 3).map((runner) => ({ ...runner, prepare }))
  report(`  ${THROTTLED} operations of one range, each told once to wait ${RETRY_AFTER_MS} ms:`)
  reportTimes(await takeTurns(runners, 3), report)
  await control(place.emulator, 'DELETE', 'faults')
}

function bothWays({ container, writer }: Place, count: number, seed: number): readonly Runner[] {
  const { big } = createTelemetry(seed)
  const records = Array.from({ length: count }, big)
  return [
    { name: 'executeBulkOperations', run: byBulkCall(container, records) },
    {
      name: 'writer.write and flush',
      run: () =>
        byWrite(
          writer,
          records.map((record) => ({ kind: 'upsert', record }))
        )
    }
  ]
}

function reportTimes(taken: readonly Taken[], report: (line: string) => void): void {
  for (const { name, ms } of taken) {
    const ratio = ratioOf(taken[0].ms, ms)
    report(
      `  ${name.padEnd(36)} ${median(ms).toFixed(1).padStart(7)} ms (${Math.min(...ms).toFixed(1)} to ${Math.max(...ms).toFixed(1)})   ${ratio.toFixed(1)}x sooner`
    )
  }
}

async function compareLoneRecords({ emulator, writer }: Place, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(4)
  const records = Array.from({ length: LONE + WARMING }, big)
  const { resources } = await rangesOf(emulator.endpoint, emulator.key)
  const agent = new Agent({ keepAlive: true })
  const bare: number[] = []
  const own: number[] = []
  for (const [index, record] of records.entries()) {
    const bareMs = await timeOf(() => send(emulator.endpoint, emulator.key, agent, resources[0], record))
    const ownMs = await timeOf(() => writer.write({ kind: 'upsert', record }))
    if (index < WARMING) continue
    bare.push(bareMs)
    own.push(ownMs)
  }
  agent.destroy()
  report(`  A lone record, ${LATENCY_MS} ms latency:`)
  for (const [name, times] of [
    ['a bare request', bare],
    ['writer.write', own]
  ] as const) {
    report(`  ${name.padEnd(36)} median ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`)
  }
}

const WARMING = 100

function rangesOf(endpoint: string, key: string): Promise<{ readonly resources: readonly string[] }> {
  const path = `/dbs/${DATABASE}/colls/${CONTAINER}/pkranges`
  const headers = signed(key, 'get', 'pkranges', `dbs/${DATABASE}/colls/${CONTAINER}`)
  return fetch(new URL(path, endpoint), { headers }).then(async (answer) => {
    const { PartitionKeyRanges: ranges } = (await answer.json()) as { readonly PartitionKeyRanges: readonly { readonly id: string }[] }
    return { resources: ranges.map(({ id }) => id) }
  })
}

/** What every client has to do at least: the same request, made by hand. The range need not be right: it is only timed. */
function send(endpoint: string, key: string, agent: Agent, rangeId: string, record: { readonly deviceId: string }): Promise<void> {
  const partitionKey = JSON.stringify([record.deviceId])
  const body = Buffer.from(JSON.stringify([{ operationType: 'Upsert', partitionKey, resourceBody: record }]))
  const headers = {
    ...signed(key, 'post', 'docs', `dbs/${DATABASE}/colls/${CONTAINER}`),
    'x-ms-cosmos-is-batch-request': 'true',
    'x-ms-cosmos-batch-atomic': 'false',
    'x-ms-cosmos-batch-continue-on-error': 'true',
    'x-ms-documentdb-partitionkeyrangeid': rangeId,
    prefer: 'return=minimal',
    'content-type': 'application/json',
    'content-length': body.length
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(`/dbs/${DATABASE}/colls/${CONTAINER}/docs`, endpoint), { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function signed(key: string, verb: string, type: string, link: string): Record<string, string> {
  const date = new Date().toUTCString()
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${verb}\n${type}\n${link}\n${date.toLowerCase()}\n\n`)
    .digest('base64')
  return { authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`), 'x-ms-date': date, 'x-ms-version': '2020-07-15' }
}
