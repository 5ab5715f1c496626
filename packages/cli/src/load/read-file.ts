import { open } from 'node:fs/promises'
import { type Piece, PiecePool } from './piece-pool.ts'

/** What was read, and where it stands. */
export interface ReadPiece {
  readonly piece: Piece
  /** How many of its bytes are of the input. */
  readonly length: number
}

// a thousand lines of 250 bytes: more is no faster, and a single line that waits holds all of a piece
const PIECE_BYTES = 1 << 18

/** Reads a file from a byte on, one piece ahead, into pieces that are used again once they are released. */
export async function* readFilePieces(path: string, start: number, signal: AbortSignal): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool(PIECE_BYTES)
  const file = await open(path, 'r')
  let reading: Promise<ReadPiece> | undefined
  try {
    let position = start
    reading = readInto(pool.take(), position)
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      const read: ReadPiece = await reading
      reading = undefined
      signal.throwIfAborted()
      if (read.length === 0) return
      position += read.length
      reading = readInto(pool.take(), position)
      yield read
    }
  } finally {
    // nobody may close a file that is being read
    await reading?.catch(nothing)
    await file.close()
  }

  async function readInto(piece: Piece, position: number): Promise<ReadPiece> {
    const { bytesRead } = await file.read(piece.bytes, 0, PIECE_BYTES, position)
    return { piece, length: bytesRead }
  }
}

function nothing(): void {
  // whoever stopped reading does not want to know
}
