import type { Candidate } from '@keystamp/planner'
import { type EmulatorProcess, type EmulatorReport, startEmulatorProcess } from '@keystamp/emulator'

/** RU/s of each physical partition. */
export const PARTITION_RU = 1000

/** A container in a separate emulator, which enforces the RU/s of each physical partition. */
export interface LocalContainer {
  readonly address: {
    readonly endpoint: string
    readonly key: string
    readonly database: string
    readonly container: string
  }
  /** RU of the accepted operations of each physical partition, from the second `first` to before the second `end`. */
  readonly usedRu: (firstSecond: number, endSecond: number) => Promise<readonly number[]>
  /** Turns throttling off, so that queries can be measured after the writes. */
  readonly stopThrottling: () => Promise<void>
  /** Sends a request for documents of the container. */
  readonly request: (path: string, options: LocalRequest) => Promise<LocalAnswer>
  readonly stop: () => Promise<void>
}

export interface LocalRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Body of a POST; a GET if missing. */
  readonly body?: object
}

export interface LocalAnswer {
  readonly status: number
  readonly chargeRu: number
  readonly bytes: number
}

const DATABASE = 'measure'
const CONTAINER = 'sample'

/** Starts an emulator with a container for the key of a candidate. */
export async function openLocalContainer(
  { partitionKeyPaths }: Pick<Candidate, 'partitionKeyPaths'>,
  partitions: number
): Promise<LocalContainer> {
  const emulator = await startEmulatorProcess({
    ranges: partitions,
    ruPerSecond: PARTITION_RU * partitions,
    throttle: true,
    operationLog: 0,
    auth: 'off'
  })
  try {
    await createContainer(emulator, partitionKeyPaths)
  } catch (error) {
    await emulator.stop()
    throw error
  }
  const { endpoint, key } = emulator
  return {
    address: { endpoint, key, database: DATABASE, container: CONTAINER },
    usedRu: (first, end) => usedRu(emulator, first, end),
    stopThrottling: async () => {
      await send(emulator, '_control/throttle', { method: 'PUT', body: 'false' })
    },
    request: async (path, { headers, body }) => {
      const answer = await fetch(`${endpoint}dbs/${DATABASE}/colls/${CONTAINER}/docs${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headersOf(), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const { byteLength } = await answer.arrayBuffer()
      const chargeRu = Number(answer.headers.get('x-ms-request-charge'))
      return { status: answer.status, chargeRu, bytes: byteLength }
    },
    stop: emulator.stop
  }
}

async function createContainer(emulator: EmulatorProcess, pointers: readonly string[]): Promise<void> {
  const paths = pointers.map(pathOf)
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  await send(emulator, 'dbs', { method: 'POST', body: JSON.stringify({ id: DATABASE }) })
  const definition = { id: CONTAINER, partitionKey }
  await send(emulator, `dbs/${DATABASE}/colls`, { method: 'POST', body: JSON.stringify(definition) })
}

async function usedRu(emulator: EmulatorProcess, first: number, end: number): Promise<readonly number[]> {
  const answer = await send(emulator, '_control/report', { method: 'GET' })
  const { containers } = (await answer.json()) as EmulatorReport
  return containers[0].ranges.map(({ seconds }) =>
    seconds.reduce((sum, { second, usedRu: ru }) => (second >= first && second < end ? sum + ru : sum), 0)
  )
}

async function send(
  { endpoint }: EmulatorProcess,
  path: string,
  options: { readonly method: string; readonly body?: string }
): Promise<Response> {
  const answer = await fetch(`${endpoint}${path}`, { ...options, headers: headersOf() })
  if (!answer.ok) throw new Error(`The local emulator answered ${answer.status} to ${path}: ${await answer.text()}`)
  return answer
}

// the emulator accepts requests without a signature
function headersOf(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-ms-version': '2020-07-15',
    'x-ms-date': new Date().toUTCString(),
    authorization: 'none'
  }
}

/** Converts a JSON pointer to a path of a container: a name that is not an identifier is in quotation marks. */
function pathOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^\w+$/.test(name) ? `/${name}` : `/${JSON.stringify(name)}`))
    .join('')
}
