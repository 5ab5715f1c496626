import { describe, expect, it } from 'vitest'
import { Piece, PiecePool } from '../../src/inputs/piece-pool.ts'

describe('a pool of reused buffers', () => {
  it('returns a buffer again only after its last user has released it', async () => {
    const pool = new PiecePool(8, 2)
    const piece = await pool.take()
    piece.keep()
    piece.release()

    expect(await pool.take()).not.toBe(piece)

    piece.release()
    expect(await pool.take()).toBe(piece)
  })

  it('counts the users of a reused buffer from one again', async () => {
    const pool = new PiecePool(8, 2)
    const piece = await pool.take()
    piece.release()
    const again = await pool.take()
    again.keep()
    again.release()

    expect(await pool.take()).not.toBe(again)
  })

  it('makes callers wait while all buffers are in use, and serves them in order', async () => {
    const pool = new PiecePool(8, 1)
    const piece = await pool.take()
    const given: number[] = []
    const first = pool.take().then((own) => given.push(1) && own)
    const second = pool.take().then((own) => given.push(2) && own)
    await Promise.resolve()
    expect(given).toEqual([])

    piece.release()
    expect(await first).toBe(piece)
    expect(given).toEqual([1])
    piece.release()
    expect(await second).toBe(piece)
  })

  it('rejects pending calls of `take` when the pool ends', async () => {
    const pool = new PiecePool(8, 1)
    await pool.take()
    const waiting = pool.take()
    pool.end()

    await expect(waiting).rejects.toThrow('The reader was closed.')
  })

  it('does not reuse a released buffer that does not belong to the pool', async () => {
    const pool = new PiecePool(8, 2)
    const other = new Piece(Buffer.alloc(8))
    other.release()

    expect(await pool.take()).not.toBe(other)
  })
})
