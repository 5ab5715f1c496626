import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sampleRecords } from '../../src/internal.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const path = useTemporaryFolder()
const FORMAT = { form: undefined, pick: undefined, delimiter: undefined, maxRecordBytes: 1 << 20 }
const LINES = 60_000

/** Numbers from 0 up to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

function write(name: string, lines: readonly string[]): string {
  writeFileSync(path(name), lines.join('\n'))
  return path(name)
}

/** Lines whose kinds differ in their own length and in that of the line before them. */
function unevenLine(index: number): string {
  const kind = ['long', 'short after long', 'short after short', 'middle'][index % 4]
  return JSON.stringify({ index, kind, pad: 'x'.repeat(kind === 'long' ? 900 : kind === 'middle' ? 150 : 0) })
}

async function draw(names: readonly string[], count: number, seed = 1): Promise<readonly string[] | undefined> {
  const { signal } = new AbortController()
  const records = await sampleRecords(names, FORMAT, { count, random: seeded(seed), signal })
  return records?.map((record) => Buffer.from(record).toString())
}

function kindsOf(records: readonly string[]): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {}
  for (const record of records) {
    const { kind } = JSON.parse(record) as { readonly kind: string }
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return kinds
}

describe('records drawn at random positions of a file', () => {
  it('have the same probability, however long their line and the line before are', async () => {
    const name = write(
      'uneven.ndjson',
      Array.from({ length: LINES }, (_, index) => unevenLine(index))
    )

    const records = await draw([name], 8000)

    expect(records).toHaveLength(8000)
    expect(new Set(records).size).toBe(8000)
    // 2,000 of each kind; the standard deviation is below 39
    for (const count of Object.values(kindsOf(records!))) expect(Math.abs(count - 2000)).toBeLessThan(160)
  })

  it('are spread evenly over the files and over the positions in them', async () => {
    const lines = Array.from({ length: LINES }, (_, index) => JSON.stringify({ index, kind: `${index % 3}` }))
    const names = [
      write('a.ndjson', lines.slice(0, 10_000)),
      write('b.ndjson', lines.slice(10_000, 10_001)),
      write('c.ndjson', ['', ...lines.slice(10_001), ''])
    ]

    const records = await draw(names, 3000)

    const indexes = records!.map((record) => (JSON.parse(record) as { readonly index: number }).index)
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      indexes.filter((index) => Math.floor(index / (LINES / 10)) === tenth)
    )
    for (const tenth of tenths) expect(Math.abs(tenth.length - 300)).toBeLessThan(80)
    expect(indexes).not.toEqual(indexes.toSorted((a, b) => a - b))
  })

  it('can be the first and the last record of the file, even with a byte order mark and without a last line end', async () => {
    const name = path('few.ndjson')
    const lines = Array.from({ length: 50 }, (_, index) => JSON.stringify({ index }))
    writeFileSync(name, `\uFEFF${lines.join('\n')}`)

    const drawn = new Set<string>()
    for (let seed = 1; seed <= 60; seed++) for (const record of (await draw([name], 10, seed))!) drawn.add(record)

    expect([...drawn].toSorted()).toEqual(lines.toSorted())
  })

  it('are the same for the same seed, and differ for another seed', async () => {
    const name = write(
      'seed.ndjson',
      Array.from({ length: 2000 }, (_, index) => unevenLine(index))
    )

    expect(await draw([name], 100, 7)).toEqual(await draw([name], 100, 7))
    expect(await draw([name], 100, 7)).not.toEqual(await draw([name], 100, 8))
  })

  it('are JSON with the column names as properties if the file is CSV', async () => {
    const name = write('drives.csv', ['vin,at', ...Array.from({ length: 5000 }, (_, index) => `"v,${index}",${index}`)])

    const records = await draw([name], 200)

    expect(records).toHaveLength(200)
    for (const record of records!) expect(record).toMatch(/^\{"vin":"v,(\d+)","at":"\1"\}$/)
  })

  it.each<[string, () => string, number]>([
    ['is compressed', () => zipped('a.ndjson.gz'), 10],
    ['is standard input', () => '-', 10],
    ['has few lines', () => write('small.ndjson', ['{"a":1}', '{"a":2}']), 2],
    ['has no line', () => write('empty.ndjson', []), 2],
    ['is CSV in which values have line ends', () => write('lines.csv', ['a,b', ...twoLineRecords()]), 50]
  ])('are undefined, since the whole file must be read, if the file %s', async (_title, make, count) => {
    expect(await draw([make()], count)).toBeUndefined()
  })

  it('cause an error that names the format of the file if the file has another format', async () => {
    const name = write(
      'wrong.ndjson',
      Array.from({ length: 500 }, (_, index) => `a,${index}`)
    )

    await expect(draw([name], 10)).rejects.toThrow('wrong.ndjson looks like CSV, not lines of JSON')
    await expect(draw([path('missing.ndjson')], 10)).rejects.toThrow(/missing.ndjson cannot be read: there is no such/)
  })
})

function zipped(name: string): string {
  writeFileSync(path(name), gzipSync('{"a":1}\n'.repeat(1000)))
  return path(name)
}

function twoLineRecords(): readonly string[] {
  return Array.from({ length: 1000 }, (_, index) => `"one\ntwo",${index}`)
}
