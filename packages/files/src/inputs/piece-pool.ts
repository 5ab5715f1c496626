import { open } from 'node:fs/promises'

/** A buffer with bytes of an input, and the number of lines that still use it. */
export class Piece {
  readonly bytes: Buffer
  readonly #onFree: ((piece: Piece) => void) | undefined
  // the reader is the first user
  #users = 1

  /** `onFree` is called when the last user has released the buffer. */
  constructor(bytes: Buffer, onFree?: (piece: Piece) => void) {
    this.bytes = bytes
    this.#onFree = onFree
  }

  /** Adds a user. */
  keep(): void {
    this.#users += 1
  }

  /** Removes a user. After the last one the buffer may be overwritten. */
  release(): void {
    this.#users -= 1
    if (this.#users === 0) this.#onFree?.(this)
  }
}

/** Bytes that were read into a piece. */
export interface ReadPiece {
  readonly piece: Piece
  /** Number of its bytes that belong to the input. */
  readonly length: number
}

/**
 * A limited number of buffers that are reused. A new buffer for each piece would stay in memory until the next garbage
 * collection.
 */
export class PiecePool {
  readonly pieceBytes: number
  readonly #maxPieces: number
  readonly #free: Piece[] = []
  readonly #waiting: { readonly resolve: (piece: Piece) => void; readonly reject: (error: Error) => void }[] = []
  #made = 0

  constructor(pieceBytes: number = PIECE_BYTES, maxPieces: number = MAX_PIECES) {
    this.pieceBytes = pieceBytes
    this.#maxPieces = maxPieces
  }

  /** Returns a free buffer. Waits while unsettled lines use all buffers. Rejects if the pool ends meanwhile. */
  async take(): Promise<Piece> {
    const piece = this.#free.pop()
    if (piece !== undefined) {
      piece.keep()
      return piece
    }
    if (this.#made === this.#maxPieces) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    this.#made += 1
    return new Piece(Buffer.allocUnsafeSlow(this.pieceBytes), (freed) => this.#takeBack(freed))
  }

  /** Rejects all waiting calls of `take`. */
  end(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The reader was closed.'))
  }

  #takeBack(freed: Piece): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(freed)
    else {
      freed.keep()
      next.resolve(freed)
    }
  }
}

// About a thousand lines of 250 bytes. A larger buffer is no faster, and one unsettled line keeps its whole buffer in
// use.
const PIECE_BYTES = 1 << 18
const MAX_PIECES = 128

/** Reads a file from byte `start` on, one chunk ahead, into buffers that are reused after their release. */
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
    // a file must not be closed while it is being read
    await reading?.catch(nothing)
    await file.close()
  }

  function readAhead(position: number): Promise<ReadPiece> {
    const ahead = readInto(position)
    // prevents an unhandled rejection if it fails before it is awaited
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
  // the code that awaits the promise gets the error
}

/**
 * Copies a stream into buffers that are reused after their release. The stream's own buffers would stay in memory until
 * the next garbage collection.
 */
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
