import { createHmac, randomUUID } from 'node:crypto'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'

/** The parts of an answer that tests read. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly subStatus: number
  readonly charge: number
  readonly text: string
  readonly body: any // oxlint-disable-line typescript/no-explicit-any -- tests read any JSON
}

/** Headers and other additions to a request. */
export interface Asked {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** The partition key; a prefix of a hierarchical one is allowed where the service allows it. */
  readonly key?: readonly unknown[]
}

/** A client that signs its requests to one endpoint: an emulator, or the service that an environment variable names. */
export interface Wire {
  readonly endpoint: string
  readonly key: string
  /** Undefined if the tests run against another endpoint. */
  readonly emulator: Emulator | undefined
  /** A database for the tests of one file. */
  readonly database: string
  readonly call: (method: string, path: string, asked?: Asked) => Promise<WireAnswer>
  /** Creates a container and returns its path. */
  readonly container: (definition?: Record<string, unknown>, headers?: Record<string, string>) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Connects to the endpoint under test, and creates a database for the tests of one file. */
export async function openWire(options: EmulatorOptions = {}): Promise<Wire> {
  const endpoint = process.env['KEYSTAMP_TEST_COSMOS_ENDPOINT']
  const key = process.env['KEYSTAMP_TEST_COSMOS_KEY'] ?? ''
  const emulator = endpoint === undefined ? await startEmulator(options) : undefined
  const base = { endpoint: emulator?.endpoint ?? endpoint!, key: emulator?.key ?? key }
  const database = `contract-${randomUUID().slice(0, 8)}`
  const call = (method: string, path: string, asked?: Asked): Promise<WireAnswer> =>
    send(base, method, path, asked ?? {})
  let made = 0
  await call('POST', '/dbs', { body: { id: database } })
  return {
    ...base,
    emulator,
    database,
    call,
    container: async (definition = {}, headers = {}) => {
      made += 1
      const body = { id: `c${made}`, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, ...definition }
      const answer = await call('POST', `/dbs/${database}/colls`, { body, headers })
      if (answer.status !== 201) throw new Error(answer.text)
      return `/dbs/${database}/colls/${body.id}`
    },
    stop: async () => {
      await call('DELETE', `/dbs/${database}`)
      await emulator?.stop()
    }
  }
}

/** Computes the authorization header of a request, as the documentation describes it. */
export function sign(key: string, method: string, path: string, date: string): string {
  const segments = path
    .split('?')[0]
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent)
  const isFeed = segments.length % 2 === 1
  const type = (isFeed ? segments.at(-1) : segments.at(-2)) ?? ''
  const link = segments.slice(0, isFeed ? -1 : undefined).join('/')
  const signed = type === 'offers' ? (segments[1] ?? '').toLowerCase() : link
  const text = `${method.toLowerCase()}\n${type}\n${signed}\n${date.toLowerCase()}\n\n`
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
  return encodeURIComponent(`type=master&ver=1.0&sig=${signature}`)
}

async function send(
  base: { endpoint: string; key: string },
  method: string,
  path: string,
  asked: Asked
): Promise<WireAnswer> {
  const date = new Date().toUTCString()
  const headers: Record<string, string> = {
    'x-ms-version': '2020-07-15',
    'x-ms-date': date,
    authorization: sign(base.key, method, path, date),
    accept: 'application/json',
    ...(asked.key === undefined ? {} : { 'x-ms-documentdb-partitionkey': printKey(asked.key) }),
    ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...asked.headers
  }
  const body = typeof asked.body === 'string' || asked.body === undefined ? asked.body : JSON.stringify(asked.body)
  const response = await fetch(base.endpoint.replace(/\/$/, '') + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body })
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    subStatus: Number(response.headers.get('x-ms-substatus') ?? 0),
    charge: Number(response.headers.get('x-ms-request-charge')),
    text,
    body: text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : undefined
  }
}

function printKey(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value === undefined ? {} : value))).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/** The headers of a bulk request to a range. */
export function bulkHeaders(range: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'x-ms-cosmos-is-batch-request': 'true',
    'x-ms-cosmos-batch-atomic': 'false',
    'x-ms-cosmos-batch-continue-on-error': 'true',
    'x-ms-documentdb-partitionkeyrangeid': range,
    ...more
  }
}

/** The headers of an atomic batch. */
export const BATCH: Record<string, string> = {
  'x-ms-cosmos-is-batch-request': 'true',
  'x-ms-cosmos-batch-atomic': 'true'
}

/** The headers of a query. */
export const QUERY: Record<string, string> = {
  'content-type': 'application/query+json',
  'x-ms-documentdb-isquery': 'true',
  'x-ms-documentdb-query-enablecrosspartition': 'true'
}
