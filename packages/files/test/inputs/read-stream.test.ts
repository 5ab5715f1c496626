import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readStreamPieces } from '../../src/inputs/piece-pool.ts'

const content = Buffer.from(Array.from({ length: 900_000 }, (_, index) => (index * 31 + (index >> 8)) & 0xff))

describe('readStreamPieces', () => {
  it('copies a whole stream into its own buffers, with chunks of any size', async () => {
    const chunks = [content.subarray(0, 10), content.subarray(10, 700_000), content.subarray(700_000)]
    const copies: Buffer[] = []
    const pieces = new Set<object>()

    for await (const { piece, length } of readStreamPieces(Readable.from(chunks, { objectMode: false }))) {
      copies.push(Buffer.from(piece.bytes.subarray(0, length)))
      pieces.add(piece)
      piece.release()
    }

    expect(Buffer.concat(copies).equals(content)).toBe(true)
    expect(pieces.size).toBe(1)
  })

  it('throws the error of the stream', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('The pipe broke.')) })

    await expect(readStreamPieces(broken).next()).rejects.toThrow('The pipe broke.')
  })
})
