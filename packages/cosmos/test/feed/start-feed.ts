import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach } from 'vitest'
import { headerText } from '../../src/client/http-client.ts'
import {
  type ChangeFeed,
  type ChangeFeedOptions,
  type ChangesRequest,
  type DocumentVersion,
  type FeedDocument,
  type FeedRange,
  openChangeFeed
} from '../../src/index.ts'

/** A container in an emulator, and its change feed. */
export interface StartedFeed {
  readonly emulator: Emulator
  readonly feed: ChangeFeed
  /** Opens another change feed of the container. */
  readonly open: (options?: Partial<ChangeFeedOptions>) => Promise<ChangeFeed>
  /** Sends a request, such as `POST docs`, and returns the status. */
  readonly call: (
    method: string,
    path: string,
    options?: { readonly key?: readonly unknown[]; readonly body?: unknown; readonly isUpsert?: boolean }
  ) => Promise<number>
  readonly upsert: (document: TestDocument) => Promise<void>
  readonly remove: (document: Pick<TestDocument, 'id' | 'pk'>) => Promise<void>
  readonly create: () => Promise<void>
}

export interface TestDocument {
  readonly id: string
  readonly pk: string
  readonly [name: string]: unknown
}

export interface StartFeedOptions {
  readonly emulator?: EmulatorOptions
  /** Properties of the container in addition to its id and key. */
  readonly definition?: Readonly<Record<string, unknown>>
  readonly feed?: Partial<ChangeFeedOptions>
}

/** Starts containers for the tests of one file. Each ends with its test. */
export function useFeeds(): (options?: StartFeedOptions) => Promise<StartedFeed> {
  const stops: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })
  return async ({ emulator: emulatorOptions, definition, feed: feedOptions } = {}) => {
    const emulator = await startEmulator({ auth: 'off', ranges: 2, ruPerSecond: 20_000, ...emulatorOptions })
    stops.push(emulator.stop)
    const call: StartedFeed['call'] = async (method, path, { key, body, isUpsert = false } = {}) => {
      const { status } = await fetch(`${emulator.endpoint}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { 'x-ms-documentdb-partitionkey': headerText(JSON.stringify(key)) }),
          ...(isUpsert ? { 'x-ms-documentdb-is-upsert': 'true' } : {})
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return status
    }
    const create = async (): Promise<void> => {
      const partitionKey = { paths: ['/pk'], kind: 'Hash', version: 2 }
      await call('POST', 'dbs/d/colls', { body: { id: 'c', partitionKey, ...definition } })
    }
    await call('POST', 'dbs', { body: { id: 'd' } })
    await create()
    const open: StartedFeed['open'] = async (more) => {
      const { endpoint, key } = emulator
      const opened = await openChangeFeed({ endpoint, key, database: 'd', container: 'c', ...feedOptions, ...more })
      stops.push(opened.close)
      return opened
    }
    return {
      emulator,
      feed: await open(),
      open,
      call,
      create,
      upsert: async (document) => {
        const status = await call('POST', DOCUMENTS, { key: [document.pk], body: document, isUpsert: true })
        if (status >= 300) throw new Error(`The document was not written: ${status}.`)
      },
      remove: async ({ id, pk }) => {
        await call('DELETE', `${DOCUMENTS}/${id}`, { key: [pk] })
      }
    }
  }
}

const DOCUMENTS = 'dbs/d/colls/c/docs'

/** Position of a feed range; the pages from it on. */
export interface Cursor {
  readonly range: FeedRange
  readonly from: string
}

/** Changes that were read, and where the next read resumes. */
export interface Drained {
  readonly documents: readonly FeedDocument[]
  readonly versions: readonly DocumentVersion[]
  readonly cursors: readonly Cursor[]
  readonly splits: number
}

/** Reads from all cursors until each is at its end. `onPage` is called after each page. */
export async function drain(
  feed: Pick<ChangeFeed, 'readChanges'>,
  cursors: readonly Cursor[],
  { mode = 'latest', maxItems = 7, onPage }: DrainOptions = {}
): Promise<Drained> {
  const open = [...cursors]
  const ended: Cursor[] = []
  const documents: FeedDocument[] = []
  const versions: DocumentVersion[] = []
  let splits = 0
  let pages = 0
  while (open.length > 0) {
    const { range, from } = open.shift()!
    const answer = await feed.readChanges({ range, from, mode, maxItems })
    if (answer.kind === 'split') {
      splits++
      open.push(...answer.ranges.map((each) => ({ range: each, from })))
      continue
    }
    documents.push(...answer.documents)
    versions.push(...answer.versions)
    const cursor = { range, from: answer.position }
    if (answer.isEnd) ended.push(cursor)
    else open.push(cursor)
    await onPage?.(++pages)
  }
  return { documents, versions, cursors: ended, splits }
}

interface DrainOptions extends Partial<Pick<ChangesRequest, 'mode' | 'maxItems'>> {
  readonly onPage?: (pages: number) => Promise<void> | void
}

/** Cursors at the same position in all ranges of the container. */
export async function cursorsFrom(feed: ChangeFeed, from: string): Promise<readonly Cursor[]> {
  return (await feed.feedRanges()).map((range) => ({ range, from }))
}

/** The document as an object. */
export function parsed({ bytes, start, end }: FeedDocument): Record<string, unknown> {
  return JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()) as Record<string, unknown>
}
