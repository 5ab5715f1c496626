import { DEMO_KEYS } from './demo-keys.ts'

/** What the demo buys for each of its containers. */
export const RANGES = 20
export const RU_PER_SECOND = 6000
export const DATABASE = 'demo'
export const TOPIC = 'telemetry'
export const PARTITIONS = 8

/** Creates the database and one container for each key, over the plain wire: the emulator of the demo asks for no signature. */
export async function createContainers(endpoint: string): Promise<void> {
  await post(`${endpoint}dbs`, { id: DATABASE }, {})
  for (const { name } of DEMO_KEYS) {
    const definition = {
      id: name,
      partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 },
      // what is never searched for costs nothing to store
      indexingPolicy: { indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/ts/?' }], excludedPaths: [{ path: '/*' }] }
    }
    // oxlint-disable-next-line no-await-in-loop -- three
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
