import { describe, expect, it } from 'vitest'
import { Piece, PiecePool } from '../../src/load/piece-pool.ts'

describe('a pool of pieces', () => {
  it('gives a piece again once its last user has released it, and not before', () => {
    const pool = new PiecePool(8)
    const piece = pool.take()
    piece.keep()
    piece.release()

    expect(pool.take()).not.toBe(piece)

    piece.release()
    expect(pool.take()).toBe(piece)
  })

  it('counts the users of a piece that is used again from the beginning', () => {
    const pool = new PiecePool(8)
    const piece = pool.take()
    piece.release()
    const again = pool.take()
    again.keep()
    again.release()

    expect(pool.take()).not.toBe(again)
  })

  it('takes back nothing that it did not give', () => {
    const pool = new PiecePool(8)
    const other = new Piece(Buffer.alloc(8))
    other.release()

    expect(pool.take()).not.toBe(other)
  })
})
