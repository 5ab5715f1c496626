import { open } from 'node:fs/promises'
import { PiecePool, type ReadPiece } from './piece-pool.ts'

/** Reads a file from a byte on, one piece ahead, into pieces that are used again once they are released. */
export async function* readFilePieces(path: string, start: number, signal: AbortSignal): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool()
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
    const { bytesRead } = await file.read(piece.bytes, 0, pool.pieceBytes, position)
    return { piece, length: bytesRead }
  }
}

function nothing(): void {
  // whoever waits for it is told; whoever has stopped reading does not want to know
}
