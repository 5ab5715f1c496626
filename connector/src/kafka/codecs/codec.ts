/**
 * Inflates the records of a compressed batch. Throws an InflatedTooLarge as soon as they take more than `maxBytes`, and another error, with a message
 * that begins with `it`, where the bytes are damaged.
 */
export type Decompress = (bytes: Buffer, maxBytes: number) => Buffer | Promise<Buffer>

/** The records of a batch take more bytes than may be inflated. */
export class InflatedTooLarge extends Error {
  constructor() {
    super('it inflates to more bytes than are allowed')
    this.name = 'InflatedTooLarge'
  }
}
