import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Emulator, startEmulator } from '@keystamp/emulator'

/** An answer without the headers that differ between equal answers. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string>
}

/**
 * Two emulators that must do the same with the same requests: one reads canonical bytes, the other parses objects, since
 * its bodies begin with whitespace.
 */
export interface TwoEmulators {
  readonly emulators: readonly Emulator[]
  /** Sends a request to both emulators. Their answers must be equal. */
  readonly both: (method: string, path: string, headers: Record<string, string>, body?: unknown) => Promise<Answer>
  /** Creates a container in both emulators, and returns its path. */
  readonly makeContainer: (definition: object) => Promise<string>
  /** Stored documents, applied writes and counters of both emulators must be equal, too. */
  readonly compareStores: (path: string) => Promise<void>
}

/** Starts two emulators for the tests of one file. They stop after the last test. */
export function useTwoEmulators(): TwoEmulators {
  let emulators: Emulator[] = []
  const startMs = 1_700_000_000_000
  let containers = 0
  beforeAll(async () => {
    const fixed = { auth: 'off', ranges: 1, now: () => startMs, random: () => 0.5 } as const
    emulators = [await startEmulator(fixed), await startEmulator(fixed)]
    await both('POST', '/dbs', {}, { id: 'd' })
  })
  beforeEach(() => {
    for (const { faults, throttle } of emulators) {
      faults.clear()
      throttle(false)
    }
  })
  afterAll(() => Promise.all(emulators.map(({ stop }) => stop())))

  async function both(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const answers = await Promise.all(
      emulators.map(({ endpoint }, which) =>
        ask(endpoint, method, path, headers, which === 0 || json === undefined ? json : json[0] + ' ' + json.slice(1))
      )
    )
    expect(answers[0]).toEqual(answers[1])
    return answers[0]
  }

  async function makeContainer(definition: object): Promise<string> {
    containers += 1
    const partitionKey = { paths: ['/pk'], kind: 'Hash', version: 2 }
    const answer = await both('POST', '/dbs/d/colls', {}, { id: `c${containers}`, partitionKey, ...definition })
    expect(answer.status).toBe(201)
    return `/dbs/d/colls/c${containers}`
  }

  async function compareStores(path: string): Promise<void> {
    await both('GET', `${path}/docs`, { 'x-ms-max-item-count': '-1' })
    await both('GET', `${path}/docs`, { 'a-im': 'Incremental feed', 'x-ms-max-item-count': '-1' })
    const [ours, theirs] = emulators.map(({ operations, report }) => [operations(), report()])
    expect(ours).toEqual(theirs)
    for (const { clearOperations } of emulators) clearOperations()
  }

  return {
    get emulators() {
      return emulators
    },
    both,
    makeContainer,
    compareStores
  }
}

/** An operation of a bulk request. */
export const upsert = (resourceBody: object, key: unknown[] = ['a']): object => ({
  operationType: 'Upsert',
  partitionKey: JSON.stringify(key),
  resourceBody
})

const OWN: ReadonlySet<string> = new Set(['date', 'x-ms-request-duration-ms'])

async function ask(
  endpoint: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined
): Promise<Answer> {
  const response = await fetch(endpoint + path.slice(1), {
    method,
    headers: { ...headers, 'x-ms-activity-id': 'same', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body })
  })
  const kept = [...response.headers].filter(([name]) => !OWN.has(name))
  return { status: response.status, text: await response.text(), headers: Object.fromEntries(kept) }
}
