import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FeedReader } from './contract/feed-reader.ts'
import { type Change, withImages } from './contract/versions-wire.ts'
import { BATCH, bulkHeaders, openWire, type Wire, type WireAnswer } from './contract/wire.ts'

type Step = Write | Several | { kind: 'split' | 'read'; at: number } | { kind: 'wait'; seconds: number }

interface Write {
  kind: 'Create' | 'Upsert' | 'Replace' | 'Patch' | 'Delete'
  key: string
  id: string
  ttl: number
}

interface Several {
  kind: 'bulk' | 'batch'
  writes: Write[]
}

/** One expected change; changes with the same request may come in any order. */
interface Expected {
  readonly request: number
  readonly text: string
}

/** The expected changes of each item, and its current document. */
class Model {
  readonly history: Map<string, Expected[]> = new Map()
  readonly items: Map<string, { n: number; ttl: number; endsAt: number }> = new Map()
  #request = 0

  beginRequest(): void {
    this.#request += 1
  }

  apply({ kind, key, id, ttl }: Write, n: number, second: number): void {
    const at = `${key}/${id}`
    const known = this.items.get(at)
    if (kind === 'Delete') this.#remove(at, 'delete')
    else {
      // a patch changes n only, and the TTL counts from the last write
      const ends = kind === 'Patch' ? known!.ttl : ttl
      this.#note(at, `${known === undefined ? 'create' : 'replace'} ${n} after ${known?.n ?? 'none'}`)
      this.items.set(at, { n, ttl: ends, endsAt: second + ends })
    }
  }

  /** Ends the items whose TTL has ended, each with a change of its own. */
  expire(second: number): void {
    for (const [at, { endsAt }] of this.items) {
      if (endsAt > second) continue
      this.beginRequest()
      this.#remove(at, 'expiry')
    }
  }

  #remove(at: string, kind: string): void {
    this.#note(at, `${kind} after ${this.items.get(at)!.n}`)
    this.items.delete(at)
  }

  #note(at: string, text: string): void {
    this.history.set(at, [...(this.history.get(at) ?? []), { request: this.#request, text }])
  }
}

const keys = ['a', 'b', 'c', 'd', 'e', 'f']
const write = fc.record<Write>({
  kind: fc.constantFrom('Create', 'Upsert', 'Upsert', 'Replace', 'Patch', 'Delete'),
  key: fc.constantFrom(...keys),
  id: fc.constantFrom('1', '2'),
  ttl: fc.constantFrom(2, 5, 1000)
})
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: write },
    {
      weight: 3,
      arbitrary: fc.record<Several>({
        kind: fc.constantFrom('bulk', 'batch'),
        writes: fc.array(write, { minLength: 1, maxLength: 5 })
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 4 }) })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('split' as const), at: fc.nat(5) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), at: fc.nat(20) }) }
  ),
  { maxLength: 40, size: 'max' }
) as fc.Arbitrary<Step[]>

const START_MS = Date.now()
let wire: Wire
beforeAll(async () => {
  wire = await openWire({ now: () => START_MS })
})
afterAll(() => wire.stop())

it(
  'each reader gets each version and each delete once, in the order of each item, through splits',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const path = await wire.container({ ...withImages(3), defaultTtl: -1 }, { 'x-ms-offer-throughput': '12000' })
        const readers = [
          await FeedReader.ofRanges(wire, path),
          await FeedReader.ofContainer(wire, path),
          ...(await Promise.all(keys.map((key) => FeedReader.ofKey(wire, path, key))))
        ]
        const run = new Run(path)
        for (const step of list) {
          if (step.kind === 'read') await readers[step.at % readers.length].readPage((step.at % 3) + 1)
          else await run.take(step)
        }
        for (const reader of readers) await reader.drain()
        for (const [at, expected] of run.model.history) {
          const matching = readers.filter((reader) => reader.key === undefined || at.startsWith(`${reader.key}/`))
          for (const reader of matching) expectHistory(reader.seen.get(at) ?? [], expected)
        }
        const versions = [...run.model.history.values()].reduce((sum, { length }) => sum + length, 0)
        expect(readers.map(({ seen }) => [...seen.values()].flat().length)).toEqual([
          versions,
          versions,
          ...keys.map((key) =>
            [...run.model.history].reduce((sum, [at, all]) => sum + (at[0] === key ? all.length : 0), 0)
          )
        ])
        await wire.call('DELETE', path)
      }),
      { numRuns: 30 }
    )
  }
)

/** Compares the changes of one item: in order, except those of one request. */
function expectHistory(seen: readonly Change[], expected: readonly Expected[]): void {
  let at = 0
  let lsn = 0
  for (const request of new Set(expected.map((change) => change.request))) {
    const group = expected.filter((change) => change.request === request)
    const part = seen.slice(at, at + group.length)
    at += group.length
    expect(part.map(textOf).toSorted()).toEqual(group.map(({ text }) => text).toSorted())
    const lsns = new Set(part.map(({ metadata }) => metadata.lsn))
    expect(lsns.size).toBe(1)
    // the first change of a request follows the last one of the request before
    for (const { metadata } of part) {
      expect(metadata.lsn).toBeGreaterThan(lsn)
      // a create has no former version; that of another change may be of the same request
      const former = metadata.operationType === 'create' ? [undefined] : [lsn, metadata.lsn]
      expect(former).toContain(metadata['previousImageLSN'])
    }
    lsn = part[0].metadata.lsn
  }
}

function textOf({ current, previous, metadata }: Change): string {
  const isExpiry = metadata['timeToLiveExpired'] === true
  const kind = isExpiry ? 'expiry' : metadata.operationType
  const before = `after ${previous === undefined ? 'none' : String(previous['n'])}`
  return kind === 'delete' || kind === 'expiry' ? `${kind} ${before}` : `${kind} ${String(current['n'])} ${before}`
}

/** One run: writes to a container and to the model. */
class Run {
  readonly model: Model = new Model()
  readonly #path: string
  #n = 0

  constructor(path: string) {
    this.#path = path
  }

  async take(step: Exclude<Step, { kind: 'read' }>): Promise<void> {
    this.model.beginRequest()
    if ('seconds' in step) {
      wire.emulator!.clock.advance(step.seconds * 1000)
      this.model.expire(this.#second())
    } else if ('writes' in step) await this.#several(step)
    else if ('at' in step) await this.#split(step.at)
    else await this.#one(step)
  }

  async #one(step: Write): Promise<void> {
    const n = ++this.#n
    const { kind, key, id } = step
    const docs = `${this.#path}/docs`
    const asked = { key: [key], ...(kind === 'Delete' ? {} : { body: bodyOf(step, n) }) }
    const headers = { 'x-ms-documentdb-is-upsert': String(kind === 'Upsert') }
    const methods = { Create: 'POST', Upsert: 'POST', Replace: 'PUT', Patch: 'PATCH', Delete: 'DELETE' }
    const isPost = methods[kind] === 'POST'
    const { status } = await wire.call(methods[kind], isPost ? docs : `${docs}/${id}`, { ...asked, headers })
    if (status < 300) this.model.apply(step, n, this.#second())
  }

  async #several({ kind, writes }: Several): Promise<void> {
    const [{ key }] = writes
    const docs = `${this.#path}/docs`
    // a batch has one key; in a bulk request, operations with keys of other ranges are refused
    const own = kind === 'batch' ? writes.map((each) => ({ ...each, key })) : writes
    const from = this.#n
    const body = own.map((each) => ({
      operationType: each.kind,
      id: each.id,
      partitionKey: JSON.stringify([each.key]),
      ...(each.kind === 'Delete' ? {} : { resourceBody: bodyOf(each, ++this.#n) })
    }))
    const numbers = own.map((_, at) => from + own.slice(0, at + 1).filter((other) => other.kind !== 'Delete').length)
    const answer =
      kind === 'batch'
        ? await wire.call('POST', docs, { key: [key], headers: BATCH, body })
        : await wire.call('POST', docs, { headers: bulkHeaders(await this.#rangeOf(key)), body })
    const statuses: number[] = answer.body.map((part: { statusCode: number }) => part.statusCode)
    if (kind === 'batch' && answer.status !== 200) return
    for (const [at, each] of own.entries()) {
      if (statuses[at] < 300) this.model.apply(each, numbers[at], this.#second())
    }
  }

  async #split(at: number): Promise<void> {
    const ranges: { id: string }[] = (await this.#ranges()).body.PartitionKeyRanges
    if (ranges.length < 6) {
      await wire.emulator!.split(wire.database, this.#path.split('/').at(-1)!, ranges[at % ranges.length].id)
    }
  }

  #ranges(): Promise<WireAnswer> {
    return wire.call('GET', `${this.#path}/pkranges`)
  }

  async #rangeOf(key: string): Promise<string> {
    const { headers } = await wire.call('GET', `${this.#path}/docs/probe`, { key: [key] })
    return headers.get('x-ms-documentdb-partitionkeyrangeid')!
  }

  #second(): number {
    return Math.floor(wire.emulator!.clock.now() / 1000)
  }
}

function bodyOf({ kind, key, id, ttl }: Write, n: number): unknown {
  return kind === 'Patch' ? [{ op: 'set', path: '/n', value: n }] : { id, pk: key, n, ttl }
}
