import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, sign, type Wire } from './wire.ts'

// longer than a block of a page, in characters of one, two, three and four bytes
const TEXTS = [
  '',
  'x',
  'x'.repeat(70_000),
  'ä'.repeat(50_000),
  '語'.repeat(30_000),
  '𝒳'.repeat(20_000),
  'y'.repeat(900)
]
const COUNT = 42
let wire: Wire
let docs: string
const stored: string[] = []
beforeAll(async () => {
  wire = await openWire({ ranges: 1, throttle: false, crossPartition: 'serve' })
  docs = `${await wire.container()}/docs`
  for (let n = 0; n < COUNT; n++) {
    const body = { id: `i${n}`, pk: 'k', n, text: TEXTS[n % TEXTS.length], two: [1, 2] }
    stored.push((await wire.call('POST', docs, { key: ['k'], body })).text)
  }
})
afterAll(() => wire.stop())

type Print = (document: string, n: number) => readonly string[]
const own: Print = (document) => [document]

/** Reads all pages; returns their texts. */
async function readPages(query: string | undefined, items: number): Promise<string[]> {
  const texts: string[] = []
  let continuation: string | undefined
  do {
    const more: Record<string, string> = continuation === undefined ? {} : { 'x-ms-continuation': continuation }
    const headers = { ...(query === undefined ? {} : QUERY), 'x-ms-max-item-count': String(items), ...more }
    const asked = query === undefined ? { headers } : { headers, body: { query } }
    const answer = await wire.call(query === undefined ? 'GET' : 'POST', docs, asked)
    expect(answer.status).toBe(200)
    // by the length of the body as text
    expect(answer.charge).toBe(Math.round((2.8 + 0.0152 * (answer.text.length / 1024)) * 100) / 100)
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text))
    texts.push(answer.text)
    continuation = answer.headers.get('x-ms-continuation') ?? undefined
  } while (continuation !== undefined)
  return texts
}

describe('large pages', () => {
  it.each<[string | undefined, Print]>([
    [undefined, own],
    ['SELECT * FROM c', own],
    ['SELECT VALUE c FROM c WHERE c.n >= 0', own],
    ['SELECT * FROM c WHERE (SELECT VALUE COUNT(1) FROM t IN c.two) = 2', own],
    ['SELECT * FROM c ORDER BY c.n', own],
    ['SELECT c.text FROM c', (_, n) => [JSON.stringify({ text: TEXTS[n % TEXTS.length] })]],
    ['SELECT c.id, t FROM c JOIN t IN c.two', (_, n) => [1, 2].map((t) => JSON.stringify({ id: `i${n}`, t }))]
  ])('have all documents as they are stored: %s', async (query, print) => {
    for (const items of [-1, 8, COUNT]) {
      const rows: string[] = []
      for (const text of await readPages(query, items)) {
        const [, list, count] = /^\{"_rid":"[^"]+","Documents":\[(.*)\],"_count":(\d+)\}$/s.exec(text) ?? []
        const parsed = JSON.parse(`[${list}]`) as unknown[]
        expect(parsed).toHaveLength(Number(count))
        rows.push(...parsed.map((row) => JSON.stringify(row)))
      }
      expect(rows).toEqual(stored.flatMap(print))
    }
  })

  it('do not disturb the emulator when a client goes away in the middle', async () => {
    const path = new URL(wire.endpoint)
    for (let n = 0; n < 10; n++) {
      const date = new Date().toUTCString()
      await new Promise<void>((resolve) => {
        const headers = {
          'x-ms-date': date,
          authorization: sign(wire.key, 'GET', docs, date),
          'x-ms-max-item-count': '-1'
        }
        const asked = request({ hostname: path.hostname, port: path.port, path: docs, headers }, (answer) =>
          answer.once('data', () => {
            asked.destroy()
            resolve()
          })
        )
        asked.on('error', () => resolve())
        asked.end()
      })
    }
    expect((await readPages('SELECT * FROM c', -1)).length).toBeGreaterThan(0)
  })
})
