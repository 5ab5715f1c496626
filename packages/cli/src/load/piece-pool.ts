/** Bytes of an input, and how many lines of theirs somebody still needs. */
export class Piece {
  readonly bytes: Buffer
  readonly #pool: Piece[] | undefined
  // whoever reads them is the first
  #users = 1

  /** Without a pool the bytes are read once and forgotten. */
  constructor(bytes: Buffer, pool?: Piece[]) {
    this.bytes = bytes
    this.#pool = pool
  }

  /** One more needs them. */
  keep(): void {
    this.#users += 1
  }

  /** One fewer needs them; after the last they may be written over. */
  release(): void {
    this.#users -= 1
    if (this.#users === 0) this.#pool?.push(this)
  }
}

/** Pieces that are read into again and again: what is allocated anew for each would stand around until a collection finds it. */
export class PiecePool {
  readonly #pieceBytes: number
  readonly #free: Piece[] = []

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes
  }

  take(): Piece {
    const piece = this.#free.pop()
    if (piece === undefined) return new Piece(Buffer.allocUnsafeSlow(this.#pieceBytes), this.#free)
    piece.keep()
    return piece
  }
}
