/**
 * Decompresses the records of a batch. Throws an InflatedTooLarge as soon as they take more than `maxBytes`. Throws another error, whose message
 * begins with `it`, where the bytes are damaged.
 */
export type Decompress = (bytes: Buffer, maxBytes: number) => Buffer | Promise<Buffer>

/** The records of a batch take more bytes than the limit. */
export class InflatedTooLarge extends Error {
  constructor() {
    super('it inflates to more bytes than are allowed')
    this.name = 'InflatedTooLarge'
  }
}
