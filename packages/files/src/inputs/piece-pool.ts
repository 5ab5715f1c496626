import { open } from 'node:fs/promises'

/** Bytes of an input, and how many lines of theirs somebody still needs. */
export class Piece {
  readonly bytes: Buffer
  readonly #onFree: ((piece: Piece) => void) | undefined
  // whoever reads them is the first
  #users = 1

  /** `onFree` is told when nobody needs the bytes any more. */
  constructor(bytes: Buffer, onFree?: (piece: Piece) => void) {
    this.bytes = bytes
    this.#onFree = onFree
  }

  /** One more needs them. */
  keep(): void {
    this.#users += 1
  }

  /** One fewer needs them; after the last they may be written over. */
  release(): void {
    this.#users -= 1
    if (this.#users === 0) this.#onFree?.(this)
  }
}

/** What was read, and where it stands. */
export interface ReadPiece {
  readonly piece: Piece
  /** How many of its bytes are of the input. */
  readonly length: number
}

/** So many pieces that are read into again and again: what is allocated anew for each would stand around until a collection finds it. */
export class PiecePool {
  readonly pieceBytes: number
  readonly #mostPieces: number
  readonly #free: Piece[] = []
  readonly #waiting: { readonly resolve: (piece: Piece) => void; readonly reject: (error: Error) => void }[] = []
  #made = 0

  constructor(pieceBytes: number = PIECE_BYTES, mostPieces: number = MOST_PIECES) {
    this.pieceBytes = pieceBytes
    this.#mostPieces = mostPieces
  }

  /** Waits while all are needed: lines that have to wait each hold the piece that they stand in. Rejects when the pool has ended. */
  async take(): Promise<Piece> {
    const piece = this.#free.pop()
    if (piece !== undefined) {
      piece.keep()
      return piece
    }
    if (this.#made === this.#mostPieces) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    this.#made += 1
    return new Piece(Buffer.allocUnsafeSlow(this.pieceBytes), (freed) => this.#take(freed))
  }

  /** Lets nobody wait any longer. */
  end(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('Nothing is read any more.'))
  }

  #take(freed: Piece): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(freed)
    else {
      freed.keep()
      next.resolve(freed)
    }
  }
}

// a thousand lines of 250 bytes: more is no faster, and a single line that waits holds all of a piece
const PIECE_BYTES = 1 << 18
const MOST_PIECES = 128

/** Reads a file from a byte on, one piece ahead, into pieces that are used again once they are released. */
export async function* readFilePieces(path: string, start: number, signal: AbortSignal): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool()
  const file = await open(path, 'r')
  let reading: Promise<ReadPiece> | undefined
  try {
    let position = start
    reading = readAhead(position)
    for (;;) {
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

/** Reads a stream into pieces that are used again once they are released: its own would stand around until a collection finds them. */
export async function* readStreamPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<ReadPiece> {
  const pool = new PiecePool()
  try {
    for await (const chunk of stream) {
      for (let begin = 0; begin < chunk.length; begin += pool.pieceBytes) {
        const piece = await pool.take()
        yield { piece, length: chunk.copy(piece.bytes, 0, begin) }
      }
    }
  } finally {
    pool.end()
  }
}
