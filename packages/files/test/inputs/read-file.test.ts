import { writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { readFilePieces, type ReadPiece } from '../../src/inputs/piece-pool.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const signal = new AbortController().signal
const BYTES = 1_500_000
const content = Buffer.from(Array.from({ length: BYTES }, (_, index) => (index * 31 + (index >> 8)) & 0xff))

describe('readFilePieces', () => {
  const path = useTemporaryFolder()

  it('reads a file from a given byte to its end, and does not overwrite buffers that are in use', async () => {
    writeFileSync(path('in'), content)
    const held: ReadPiece[] = []

    for await (const read of readFilePieces(path('in'), 100_000, signal)) held.push(read)

    expect(held.length).toBeGreaterThan(3)
    expect(
      Buffer.concat(held.map(({ piece, length }) => piece.bytes.subarray(0, length))).equals(content.subarray(100_000))
    ).toBe(true)
  })

  it('reads into two buffers in turn if each buffer is released before the next read', async () => {
    writeFileSync(path('in'), content)
    const pieces = new Set<object>()
    const copies: Buffer[] = []

    for await (const { piece, length } of readFilePieces(path('in'), 0, signal)) {
      pieces.add(piece)
      copies.push(Buffer.from(piece.bytes.subarray(0, length)))
      piece.release()
    }

    expect(pieces.size).toBe(2)
    expect(Buffer.concat(copies).equals(content)).toBe(true)
  })

  // checks L6
  it('stops reading while all buffers are in use, and continues when one is released', async () => {
    const large = Buffer.alloc(40 * 2 ** 20, content)
    writeFileSync(path('in'), large)
    const held: ReadPiece[] = []
    let isDone = false
    const reading = (async () => {
      for await (const read of readFilePieces(path('in'), 0, signal)) held.push(read)
      isDone = true
    })()
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(100), { timeout: 15_000 })
    await new Promise((resolve) => setTimeout(resolve, 50))

    expect(isDone).toBe(false)
    expect(held.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(32 * 2 ** 20)

    for (const { piece } of held.splice(0)) piece.release()
    await reading
    expect(held.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(0)
  })

  it('can be closed while all buffers are in use', async () => {
    writeFileSync(path('in'), Buffer.alloc(40 * 2 ** 20, content))
    const pieces = readFilePieces(path('in'), 0, signal)
    for (let taken = 0; taken < 128; taken++) await pieces.next()

    await expect(pieces.return(undefined)).resolves.toMatchObject({ done: true })
  })

  it('throws the reason of the abort signal', async () => {
    writeFileSync(path('in'), content)
    const abort = new AbortController()
    const read = async (): Promise<void> => {
      for await (const _ of readFilePieces(path('in'), 0, abort.signal)) abort.abort()
    }

    await expect(read()).rejects.toThrow(/aborted/)
  })

  it('throws ENOENT if the file does not exist', async () => {
    await expect(readFilePieces(path('none'), 0, signal).next()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
