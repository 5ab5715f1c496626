import { PageSizer } from '../budget/page-sizer.ts'
import { stringIn } from '../client/http-client.ts'
import { changeHeaders } from '../feed/changes.ts'
import type { StoredDocument } from '../reader/range-pages.ts'
import { isMoved, type RangePart, type RangeRoutes } from './range-routes.ts'
import type { Allowance } from './ru-limiter.ts'
import type { XrayRequests } from './xray-requests.ts'

/** Seconds since 1970, from `from` up to, but not including, `to`. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Documents that were written in one window to one range: the latest version of each. */
export interface Changes {
  /** Number of the window, 0 for the earliest. */
  readonly window: number
  readonly rangeId: string
  readonly documents: readonly StoredDocument[]
}

/** Which part of the period was read. */
export interface ReadChanges {
  /** Equally long parts of the period, each read from its beginning for `seconds`. */
  readonly windows: readonly Window[]
  /** Numbers of the windows that were read in all ranges. */
  readonly read: readonly number[]
  /** Seconds of each window that were read. */
  readonly seconds: number
  readonly documents: number
}

interface RecentChangesOptions {
  readonly requests: XrayRequests
  readonly rangeIds: readonly string[]
  readonly routes: Pick<RangeRoutes, 'leavesOf' | 'follow'>
  readonly period: Window
  /** RU that a request should cost at most. */
  readonly requestRu: number
  /** RU and time that the reading should take at most. */
  readonly allowance: Allowance
  /** Called for each page. The documents of a window that was not read in all ranges must be ignored. */
  readonly onChanges: (changes: Changes) => void
}

/** Windows of a period: each is a minute if the period is 15 minutes. */
const MAX_WINDOWS = 15

/**
 * Reads the latest versions of the documents that were written in a period, range by range. If all of them would cost
 * too much, reads the beginning of each window only, for the same time in all ranges, so that their shares stay
 * comparable.
 */
export async function readRecentChanges(options: RecentChangesOptions): Promise<ReadChanges> {
  const { rangeIds, period, allowance, onChanges } = options
  const windows = divide(period)
  const reader = new ChangeReader(options)
  const seconds = Math.min(longestOf(windows), await affordableSeconds(reader, options, windows))
  const read: number[] = []
  let documents = 0
  for (const window of spreadOrder(windows.length)) {
    // the first window is read in any case: without it nothing is known
    if (read.length > 0 && !allowance.isLeft) break
    const { from, to } = windows[window]
    for (const rangeId of rangeIds) {
      for await (const page of reader.pages(rangeId, { from, to: Math.min(to, from + seconds) })) {
        documents += page.length
        onChanges({ window, rangeId, documents: page })
      }
    }
    read.push(window)
  }
  return { windows, read: read.toSorted((a, b) => a - b), seconds, documents }
}

function divide({ from, to }: Window): readonly Window[] {
  const count = Math.max(1, Math.min(MAX_WINDOWS, to - from))
  const edge = (number: number): number => from + Math.floor((number * (to - from)) / count)
  return Array.from({ length: count }, (_, number) => ({ from: edge(number), to: edge(number + 1) }))
}

/** Seconds of the longest window: some have one more than others. */
function longestOf(windows: readonly Window[]): number {
  return Math.max(...windows.map(({ from, to }) => to - from))
}

/** Reads one second in the middle of the period, and computes how many seconds of each window can be paid. */
async function affordableSeconds(
  reader: ChangeReader,
  { rangeIds, allowance }: RecentChangesOptions,
  windows: readonly Window[]
): Promise<number> {
  const { from } = windows[windows.length >> 1]
  let [inSecond, pages] = [0, 0]
  for (const rangeId of rangeIds) {
    for await (const page of reader.pages(rangeId, { from, to: from + 1 })) {
      inSecond += page.length
      pages++
    }
  }
  const secondRu = inSecond * reader.itemRu
  const length = longestOf(windows)
  const affordable = secondRu === 0 ? length : allowance.allowedRu / windows.length / secondRu
  // a second that costs more than its part of the budget: the reading ends earlier
  return pages === 0 || affordable >= length ? length : Math.max(1, Math.floor(affordable))
}

/** Numbers from 0 so that any first part of them is spread over the whole. */
export function spreadOrder(count: number): readonly number[] {
  const bits = Math.ceil(Math.log2(Math.max(1, count)))
  const reversed = (number: number): number =>
    Number.parseInt([...number.toString(2).padStart(bits, '0')].toReversed().join(''), 2)
  return Array.from({ length: 2 ** bits }, (_, number) => reversed(number)).filter((number) => number < count)
}

class ChangeReader {
  readonly #requests: XrayRequests
  readonly #routes: RecentChangesOptions['routes']
  readonly #sizer: PageSizer
  /** Ranges in whose change feeds the times do not ascend. */
  readonly #unordered: Set<string> = new Set()

  constructor({ requests, routes, requestRu }: RecentChangesOptions) {
    this.#requests = requests
    this.#routes = routes
    this.#sizer = new PageSizer(requestRu)
  }

  /** RU of one document. */
  get itemRu(): number {
    return this.#sizer.itemRu
  }

  /** Documents of one range that were written in the window, page by page. Goes on in other ranges after a split or merge. */
  async *pages(rangeId: string, { from, to }: Window): AsyncGenerator<readonly StoredDocument[]> {
    const open: FeedPosition[] = this.#routes.leavesOf(rangeId).map((part) => ({ of: part, position: undefined }))
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { of, position } = at
      try {
        const page = await this.#page(at, from)
        if (page === undefined) continue
        const inWindow = page.documents.filter(({ _ts: second }) => isIn(second, from, to))
        if (inWindow.length > 0) yield inWindow
        if (page.position !== undefined && !this.#isPast(of, page.documents, to))
          open.push({ of, position: page.position })
      } catch (error) {
        if (!isMoved(error)) throw error
        // a position of a range is also one of the ranges that it becomes
        open.push(...(await this.#routes.follow(of, error)).map((next) => ({ of: next, position })))
      }
    }
  }

  /** Whether no later page of a range can have documents from before a second. */
  #isPast({ id, isMerged }: RangePart, documents: readonly StoredDocument[], to: number): boolean {
    const seconds = documents.map((document) => document['_ts'] as number)
    // as after a merge before the run, of which the list of ranges does not tell
    if (isMerged === true || seconds.some((second, at) => second < seconds[at - 1])) this.#unordered.add(id)
    return seconds.length === 0 || (!this.#unordered.has(id) && seconds.at(-1)! >= to)
  }

  /** A page of the documents that were written from a second on; undefined at the end. */
  async #page(
    { of: { id, part }, position }: FeedPosition,
    from: number
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly position: string | undefined } | undefined> {
    const answer = await this.#requests.send({
      what: `reading the change feed of range ${id}`,
      kind: 'changeFeed',
      headers: {
        ...changeHeaders({
          mode: 'latest',
          from: position ?? 'beginning',
          rangeId: id,
          part,
          maxItems: this.#sizer.items
        }),
        // the service leaves out changes of the second itself, so ask for the one before it
        'If-Modified-Since': new Date((from - 1) * 1000).toUTCString()
      },
      expectedRu: this.#sizer.expectedRu
    })
    if (answer.status === 304) return undefined
    const { Documents: documents = [] } = answer.json as { readonly Documents?: readonly StoredDocument[] }
    this.#sizer.learn(documents.length, answer.chargeRu)
    return { documents, position: stringIn(answer.headers.etag) }
  }
}

/** Where to go on in the change feed of a range; undefined for the beginning of the window. */
interface FeedPosition {
  readonly of: RangePart
  readonly position: string | undefined
}

function isIn(second: unknown, from: number, to: number): boolean {
  return typeof second === 'number' && second >= from && second < to
}
