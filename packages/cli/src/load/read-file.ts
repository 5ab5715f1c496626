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
const MOST_PIECES = 128

/** Reads a file from a byte on, one piece ahead, into pieces that are used again once they are released. */
export async function* readFilePieces(path: string, start: number, signal: AbortSignal): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool(PIECE_BYTES, MOST_PIECES)
  const file = await open(path, 'r')
  let reading: Promise<ReadPiece> | undefined
  try {
    let position = start
    reading = readAhead(position)
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      const read: ReadPiece = await reading
      reading = undefined
      signal.throwIfAborted()
      if (read.length === 0) return
      position += read.length
      reading = readAhead(position)
      yield read
    }
  } finally {
    pool.end()
    // nobody may close a file that is being read
    await reading?.catch(nothing)
    await file.close()
  }

  function readAhead(position: number): Promise<ReadPiece> {
    const ahead = readInto(position)
    // it may fail before anybody waits for it
    ahead.catch(nothing)
    return ahead
  }

  async function readInto(position: number): Promise<ReadPiece> {
    const piece = await pool.take()
    const { bytesRead } = await file.read(piece.bytes, 0, PIECE_BYTES, position)
    return { piece, length: bytesRead }
  }
}

function nothing(): void {
  // whoever waits for it is told; whoever has stopped reading does not want to know
}
