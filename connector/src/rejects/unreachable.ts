/** What passes: the place cannot be reached for now. The message says why, as the end of a sentence. */
export class Unreachable extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.name = 'Unreachable'
  }
}
