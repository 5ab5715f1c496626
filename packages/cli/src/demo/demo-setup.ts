import type { PlanDefinition } from '@keystamp/core'

/** Physical partitions and provisioned throughput of each container of the demo. */
export const RANGES = 20
export const RU_PER_SECOND = 6000
export const DATABASE = 'demo'
export const TOPIC = 'telemetry'
export const PARTITIONS = 8

/**
 * Creates the database and one container for each key. The emulator of the demo accepts requests without a signature.
 */
export async function createContainers(endpoint: string): Promise<void> {
  await post(`${endpoint}dbs`, { id: DATABASE }, {})
  for (const { name } of DEMO_KEYS) {
    const definition = {
      id: name,
      partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 },
      // properties without an index cost nothing to write
      indexingPolicy: {
        indexingMode: 'consistent',
        automatic: true,
        includedPaths: [{ path: '/ts/?' }],
        excludedPaths: [{ path: '/*' }]
      }
    }
    await post(`${endpoint}dbs/${DATABASE}/colls`, definition, { 'x-ms-offer-throughput': String(RU_PER_SECOND) })
  }
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  const fixed = {
    'content-type': 'application/json',
    'x-ms-version': '2020-07-15',
    'x-ms-date': new Date().toUTCString(),
    authorization: 'demo'
  }
  const answer = await fetch(url, { method: 'POST', headers: { ...fixed, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The local Cosmos DB answered ${answer.status} to ${url}.`)
}

/** A plan for the key of the telemetry. */
export interface DemoKey {
  readonly name: string
  readonly title: string
  readonly plan: PlanDefinition
}

const into = '/partitionKey'
const from = [{ field: '/day' }] as const

/** The keys that the demo compares, from worst to best. */
export const DEMO_KEYS: readonly DemoKey[] = [
  { name: 'date', title: 'The date alone', plan: { into, from } },
  {
    name: 'suffix',
    title: 'The date and a suffix from 1 to 400, computed from the VIN',
    plan: { into, from, suffix: { by: '/VIN', count: 400 } }
  },
  {
    name: 'even',
    title: 'The same suffix with even labels',
    plan: { into, from, suffix: { by: '/VIN', count: 400, labels: 'even' } }
  }
]

/** The configuration of the demo's sinks, as a user would write it; `--keep` shows it. */
export function demoConfig({
  brokers,
  endpoint,
  key
}: {
  readonly brokers: string
  readonly endpoint: string
  readonly key: string
}): string {
  const sinks = DEMO_KEYS.map(({ name, plan }) => ({
    name,
    kafka: { brokers: [brokers], topics: [TOPIC], maxBytesPerPartition: '256KiB' },
    cosmos: { endpoint, key, database: DATABASE, container: name },
    plan,
    // the demo does not wait for open records at its end
    maxInFlightBytes: '2MiB',
    shutdownTimeout: '1s'
  }))
  return JSON.stringify(
    { sinks, onSinkFailure: 'exit', http: { host: '127.0.0.1', port: 0 }, log: { level: 'silent' } },
    undefined,
    2
  )
}
