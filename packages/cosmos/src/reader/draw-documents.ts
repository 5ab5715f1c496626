import { shuffle } from '@keystamp/core/internal'
import type { ContainerRange } from '../client/container.ts'
import type { StoredDocument } from './range-pages.ts'

/** Runs queries of single ranges. */
export interface RangeQueries {
  /** The answers, page by page. Parameters are written `@name` in the query. */
  readonly pages: (
    rangeId: string,
    query: string,
    parameters?: Readonly<Record<string, number>>
  ) => AsyncGenerator<readonly unknown[]>
  /** False after the RU for the sample are spent: the documents that were drawn until then are the sample. */
  readonly mayContinue?: () => boolean
}

/** Concurrent requests. */
const PARALLEL = 4
/** Mean number of documents in a window. */
const PER_WINDOW = 2
/** A window with more documents than this share of the sample would make it one of few moments. */
const MAX_WINDOW_SHARE = 0.01
const MIN_WINDOW_LIMIT = 50
/** Documents in a second of writing above which windows, which have at least a second, are too large. */
const MAX_PER_SECOND = 16

/** Whether windows are too large: they have at least a second, and many documents were written in one second. */
export function isTooDense(extents: readonly Extent[]): boolean {
  return extents.some(({ documents, from, to }) => documents > MAX_PER_SECOND * (to - from))
}

/** Documents that were drawn, in random order. */
export interface DrawnDocuments {
  /** `uniform`: read in random windows of time; `reservoir`: all were read, and some kept; `whole`: all are here. */
  readonly method: 'whole' | 'reservoir' | 'uniform'
  readonly sample: readonly StoredDocument[]
}

/**
 * Draws documents so that each has the same probability. Each range is divided into windows of `_ts`, and all documents
 * of randomly chosen windows are read. Reads all documents instead if they are few, or if most were written at the same
 * time.
 */
export async function drawDocuments(
  queries: RangeQueries,
  extents: readonly Extent[],
  count: number,
  random: () => number
): Promise<DrawnDocuments> {
  const total = extents.reduce((sum, { documents }) => sum + documents, 0)
  const drawn =
    (await drawWindows(queries, extents, count, random)) ?? (await keepSome(queries, extents, count, random))
  const method = drawn.isUniform ? 'uniform' : drawn.documents.length < total ? 'reservoir' : 'whole'
  return { method, sample: shuffle([...drawn.documents], random) }
}

/** Number of documents of a range, and the seconds in which they were written. */
export interface Extent {
  readonly range: Pick<ContainerRange, 'id'>
  readonly documents: number
  readonly from: number
  /** After the last one. */
  readonly to: number
}

/** Counts the documents of a range if their number is not known, and reads the times of the first and last write. */
export async function readExtent(queries: RangeQueries, range: Extent['range'], known?: number): Promise<Extent> {
  const values = async (aggregate: string): Promise<readonly number[]> => {
    const found: unknown[] = []
    for await (const page of queries.pages(range.id, `SELECT VALUE ${aggregate} FROM c`)) found.push(...page)
    return found.filter((value) => typeof value === 'number')
  }
  // an aggregate over several pages is one value a page
  const documents = known ?? (await values('COUNT(1)')).reduce((sum, each) => sum + each, 0)
  const firsts = documents === 0 ? [] : await values('MIN(c._ts)')
  if (firsts.length === 0) return { range, documents: 0, from: 0, to: 0 }
  const from = Math.min(...firsts)
  const to = Math.max(...(await values('MAX(c._ts)'))) + 1
  return { range, documents, from, to }
}

interface Drawn {
  readonly documents: readonly StoredDocument[]
  readonly isUniform: boolean
}

interface Window {
  readonly range: Extent['range']
  readonly from: number
  readonly to: number
}

/** Reads random windows; undefined if reading all documents is cheaper, or windows are too large. */
async function drawWindows(
  queries: RangeQueries,
  extents: readonly Extent[],
  count: number,
  random: () => number
): Promise<Drawn | undefined> {
  const total = extents.reduce((sum, { documents }) => sum + documents, 0)
  if (total <= 2 * count || isTooDense(extents)) return undefined
  const windows = drawing(extents, random)
  const maxDocuments = Math.max(MIN_WINDOW_LIMIT, count * MAX_WINDOW_SHARE)
  const found: StoredDocument[] = []
  let isUneven = false
  const work = async (): Promise<void> => {
    while (found.length < count && !isUneven && queries.mayContinue?.() !== false) {
      const window = windows.next()
      if (window.done === true) return
      const documents: StoredDocument[] = []
      for await (const page of readWindow(queries, window.value)) {
        documents.push(...page)
        isUneven ||= documents.length > maxDocuments
        if (isUneven) return
      }
      found.push(...documents)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return isUneven ? undefined : { documents: shuffle(found, random).slice(0, count), isUniform: true }
}

function readWindow(queries: RangeQueries, { range, from, to }: Window): AsyncGenerator<readonly StoredDocument[]> {
  const query = 'SELECT * FROM c WHERE c._ts >= @from AND c._ts < @to'
  return queries.pages(range.id, query, { from, to }) as AsyncGenerator<readonly StoredDocument[]>
}

/** Yields all windows of all ranges in random order. */
function* drawing(extents: readonly Extent[], random: () => number): Generator<Window, void> {
  const counts = extents.map(({ documents, from, to }) => Math.min(to - from, Math.ceil(documents / PER_WINDOW)))
  const total = counts.reduce((sum, each) => sum + each, 0)
  const seen = new Set<number>()
  while (seen.size < total) {
    const drawn = Math.floor(random() * total)
    if (seen.has(drawn)) continue
    seen.add(drawn)
    let [extent, number] = [0, drawn]
    for (; number >= counts[extent]; extent++) number -= counts[extent]
    const { range, from, to } = extents[extent]
    const edge = (window: number): number => from + Math.floor((window * (to - from)) / counts[extent])
    yield { range, from: edge(number), to: edge(number + 1) }
  }
}

/** Reads all documents, and keeps some: each has the same probability. */
async function keepSome(
  queries: RangeQueries,
  extents: readonly Extent[],
  count: number,
  random: () => number
): Promise<Drawn> {
  const documents: StoredDocument[] = []
  let seen = 0
  for (const { range } of extents) {
    for await (const page of queries.pages(range.id, 'SELECT * FROM c')) {
      for (const document of page as readonly StoredDocument[]) {
        seen++
        const slot = documents.length < count ? documents.length : Math.floor(random() * seen)
        if (slot < count) documents[slot] = document
      }
    }
  }
  return { documents, isUniform: false }
}

const SYSTEM_PROPERTIES: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])

/** The document without the properties that Cosmos DB adds. */
export function withoutSystemProperties(document: StoredDocument): StoredDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM_PROPERTIES.has(name)))
}
