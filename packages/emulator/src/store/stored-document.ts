/** A document of a data folder: canonical JSON whose rules were checked before it was stored. */
export class StoredDocument {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly isAscii: boolean

  constructor(bytes: Buffer, start: number, end: number, isAscii: boolean) {
    this.bytes = bytes
    this.start = start
    this.end = end
    this.isAscii = isAscii
  }

  get value(): Record<string, unknown> {
    return JSON.parse(this.text) as Record<string, unknown>
  }

  get text(): string {
    return this.bytes.toString(this.isAscii ? 'latin1' : 'utf8', this.start, this.end)
  }

  get length(): number {
    return this.end - this.start
  }
}
