import { PiecePool, type ReadPiece } from './piece-pool.ts'

/** Reads a stream into pieces that are used again once they are released: its own would stand around until a collection finds them. */
export async function* readStreamPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool()
  try {
    for await (const chunk of stream) {
      for (let begin = 0; begin < chunk.length; begin += pool.pieceBytes) {
        // oxlint-disable-next-line no-await-in-loop -- one piece after another
        const piece = await pool.take()
        yield { piece, length: chunk.copy(piece.bytes, 0, begin) }
      }
    }
  } finally {
    pool.end()
  }
}
