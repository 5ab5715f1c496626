import type { Change } from './versions-wire.ts'
import type { Wire, WireAnswer } from './wire.ts'

interface Part {
  readonly min: string
  readonly max: string
  etag: string
}

interface Range {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
}

/** Reads the feed of all versions and deletes of a container as SDKs do, and collects the changes of each item. */
export class FeedReader {
  /** The changes by key and id of the item. */
  readonly seen: Map<string, Change[]> = new Map()
  /** The partition key of the feed; undefined for the whole container. */
  readonly key: string | undefined
  readonly #wire: Wire
  readonly #path: string
  readonly #mode: 'ranges' | 'container' | 'key'
  #parts: Part[] = []

  private constructor(wire: Wire, path: string, mode: 'ranges' | 'container' | 'key', key: string | undefined) {
    this.#wire = wire
    this.#path = path
    this.#mode = mode
    this.key = key
  }

  /** A reader with one ETag for each range. After a split, it resumes in each child with the ETag of the parent. */
  static async ofRanges(wire: Wire, path: string): Promise<FeedReader> {
    const reader = new FeedReader(wire, path, 'ranges', undefined)
    for (const { minInclusive, maxExclusive } of await reader.#ranges()) {
      await reader.#begin(minInclusive, maxExclusive)
    }
    return reader
  }

  /** A reader that names no range. */
  static async ofContainer(wire: Wire, path: string): Promise<FeedReader> {
    const reader = new FeedReader(wire, path, 'container', undefined)
    await reader.#begin('', 'FF')
    return reader
  }

  /** A reader of the changes of one partition key. */
  static async ofKey(wire: Wire, path: string, key: string): Promise<FeedReader> {
    const reader = new FeedReader(wire, path, 'key', key)
    await reader.#begin('', 'FF')
    return reader
  }

  /** Reads one page of the part that was read the longest time ago. Returns whether it had changes. */
  async readPage(items: number): Promise<boolean> {
    const part = this.#parts.shift()!
    const children = this.#mode === 'ranges' ? await this.#split(part) : [part]
    this.#parts.push(...children.slice(1))
    const [first] = children
    this.#parts.push(first)
    const answer = await this.#page(first, items)
    if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.text)
    first.etag = answer.headers.get('etag')!
    if (answer.status === 304) return false
    const changes: Change[] = answer.body.Documents
    const numbers = changes.map(({ metadata }) => metadata.lsn)
    // LSNs of several ranges cannot be compared
    if (this.#mode !== 'container' && numbers.some((lsn, at) => lsn < numbers[at - 1])) {
      throw new Error(`The LSNs of a page do not ascend: ${numbers.join(', ')}.`)
    }
    for (const change of changes) this.#collect(change)
    return true
  }

  /** Reads until no part has a change. */
  async drain(): Promise<void> {
    let idle = 0
    while (idle < this.#parts.length) {
      const before = this.#parts.length
      const hasChanges = await this.readPage(2)
      idle = hasChanges || this.#parts.length > before ? 0 : idle + 1
    }
  }

  #collect(change: Change): void {
    const { current, metadata } = change
    const named = metadata.operationType === 'delete' ? metadata : current
    const key = metadata.operationType === 'delete' ? (metadata['partitionKey'] as { pk: string }).pk : current['pk']
    const at = `${String(key)}/${String(named['id'])}`
    this.seen.set(at, [...(this.seen.get(at) ?? []), change])
  }

  async #begin(min: string, max: string): Promise<void> {
    const part = { min, max, etag: '*' }
    const { headers } = await this.#page(part, 1)
    this.#parts.push({ ...part, etag: headers.get('etag')! })
  }

  async #split(part: Part): Promise<Part[]> {
    const inside = (await this.#ranges()).filter(
      ({ minInclusive, maxExclusive }) => minInclusive >= part.min && maxExclusive <= part.max
    )
    return inside.map(({ minInclusive, maxExclusive }) => ({ min: minInclusive, max: maxExclusive, etag: part.etag }))
  }

  async #page(part: Part, items: number): Promise<WireAnswer> {
    const range = this.#mode === 'ranges' ? await this.#rangeAt(part) : undefined
    return this.#wire.call('GET', `${this.#path}/docs`, {
      headers: {
        'A-IM': 'Full-Fidelity Feed',
        'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15',
        'If-None-Match': part.etag,
        'x-ms-max-item-count': String(items),
        ...(range === undefined ? {} : { 'x-ms-documentdb-partitionkeyrangeid': range })
      },
      ...(this.key === undefined ? {} : { key: [this.key] })
    })
  }

  async #rangeAt({ min }: Part): Promise<string | undefined> {
    return (await this.#ranges()).find(({ minInclusive }) => minInclusive === min)?.id
  }

  async #ranges(): Promise<Range[]> {
    return (await this.#wire.call('GET', `${this.#path}/pkranges`)).body.PartitionKeyRanges
  }
}
