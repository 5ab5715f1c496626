/** Gives an input piece by piece. */
export interface Reader {
  /** As people would call it. */
  readonly name: string
  /** The next piece, which holds until it is asked for the one behind it; undefined at the end. */
  readonly next: () => Promise<Buffer | undefined>
  /** Bytes read so far, before decompression. */
  readonly bytesRead: () => number
  readonly close: () => Promise<void>
}
