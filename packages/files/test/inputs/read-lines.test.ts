import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InputLine, readLines } from '../../src/inputs/read-lines.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const signal = new AbortController().signal
const maxRecordBytes = 8 << 20
const START = { line: 0, byte: 0 }

describe('readLines', () => {
  const path = useTemporaryFolder()

  it('yields every line with its number and byte, however the input is divided into chunks', async () => {
    const texts = fc.array(
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', '')),
      { minLength: 1, maxLength: 20 }
    )
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (lines, pieceBytes) => {
        const bytes = Buffer.from(`${lines.join('\n')}\n`)
        const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
          bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)
        )

        const found = await collect(
          readLines('-', { from: START, stdin: Readable.from(pieces, { objectMode: false }), signal, maxRecordBytes })
        )

        expect(found.map((line) => line.bytes?.toString())).toEqual(lines)
        for (const [index, { line, byte, bytes: own }] of found.entries()) {
          expect(line).toBe(index)
          expect(bytes.subarray(byte, byte + own!.length)).toEqual(own)
        }
      })
    )
  })

  it('begins at a given position of a file', async () => {
    writeFileSync(path('in.ndjson'), 'a\nbb\nccc\ndddd')

    const found = await collect(
      readLines(path('in.ndjson'), { from: { line: 2, byte: 5 }, stdin: Readable.from([]), signal, maxRecordBytes })
    )

    expect(found.map(({ bytes, line, byte }) => [String(bytes), line, byte])).toEqual([
      ['ccc', 2, 5],
      ['dddd', 3, 9]
    ])
  })

  it('begins at the first line, and not at the given position, if the input can only be read from its beginning', async () => {
    writeFileSync(path('in.ndjson.gz'), gzipSync('a\nbb\nccc\n'))

    const found = await collect(
      readLines(path('in.ndjson.gz'), { from: { line: 2, byte: 5 }, stdin: Readable.from([]), signal, maxRecordBytes })
    )

    expect(found.map(({ line }) => line)).toEqual([0, 1, 2])
  })

  it('yields an oversized line without its bytes, and continues after it', async () => {
    const long = Buffer.alloc(3 * 2 ** 20, 'x')
    const pieces = [Buffer.from('a\n'), long, long, long, Buffer.from('y\nb\n')]

    const found = await collect(
      readLines('-', { from: START, stdin: Readable.from(pieces, { objectMode: false }), signal, maxRecordBytes })
    )

    expect(found.map(({ bytes, line }) => [bytes?.toString(), line])).toEqual([
      ['a', 0],
      [undefined, 1],
      ['b', 2]
    ])
    expect(found[2].byte).toBe(2 + long.length * 3 + 2)
  })

  it('throws if a compressed file is damaged', async () => {
    writeFileSync(path('in.ndjson.gz'), 'no gzip')

    await expect(
      collect(readLines(path('in.ndjson.gz'), { from: START, stdin: Readable.from([]), signal, maxRecordBytes }))
    ).rejects.toThrow('cannot be decompressed: it is damaged, or not compressed at all.')
  })
})

async function collect(pieces: AsyncIterable<readonly InputLine[]>): Promise<InputLine[]> {
  const all: InputLine[] = []
  for await (const lines of pieces) all.push(...lines)
  return all
}
