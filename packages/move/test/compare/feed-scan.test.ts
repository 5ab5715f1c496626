import { describe, expect, it } from 'vitest'
import { FeedScan } from '../../src/compare/feed-scan.ts'
import type { ChangesPage, MoveContainer } from '../../src/containers/move-container.ts'
import { CopyGate } from '../../src/copy/copy-gate.ts'
import { createIdentityReader } from '../../src/documents/identity-reader.ts'

const RANGES = ['0', '1', '2', '3', '4'].map((min, index) => ({ min, max: String(index + 1) }))
const PAGES = 20

describe('a scan of a feed', () => {
  it('gives each request memory that no other request or unread page uses', async () => {
    const memories = new Set<ArrayBufferLike>()
    const seen: string[] = []

    await scanOf(memories).readAll(({ bytes, start, end }) => {
      seen.push((JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()) as { id: string }).id)
    })

    const all = RANGES.flatMap(({ min }) => Array.from({ length: PAGES }, (_, page) => `${min}-${page}`))
    expect(seen.toSorted()).toEqual(all.toSorted())
    // one for each request at the same time, and one for each range whose page waits
    expect(memories.size).toBeLessThanOrEqual(RANGES.length * 2)
  })
})

/** A scan of ranges whose pages arrive out of turn, in the memory that the request gives. */
function scanOf(memories: Set<ArrayBufferLike>): FeedScan {
  const read = createIdentityReader([['id']])
  let turn = 0
  const container = {
    feedRanges: () => Promise.resolve(RANGES),
    readChanges: async ({ range, from, buffer }: Parameters<MoveContainer['readChanges']>[0]) => {
      const page = from === 'beginning' ? 0 : Number(from)
      const text = Buffer.from(JSON.stringify({ id: `${range.min}-${page}` }))
      const every = 1 + ((turn++ * 7) % 5)
      const bytes = buffer!.room(text.length)
      memories.add(bytes.buffer)
      // a page arrives in parts
      for (let at = 0; at < text.length; at++) {
        text.copy(bytes, at, at, at + 1)
        if (at % every === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      const isEnd = page === PAGES
      const answer: ChangesPage = {
        kind: 'page',
        documents: isEnd ? [] : [read(bytes, 0, text.length)!],
        versions: [],
        position: String(page + 1),
        isEnd,
        sessionToken: undefined,
        chargeRu: 1
      }
      return answer
    }
  }
  return new FeedScan({
    container: container as unknown as MoveContainer,
    gate: new CopyGate({ maxBytes: 1000, maxRequests: 4 }),
    maxItems: 1,
    signal: new AbortController().signal
  })
}
