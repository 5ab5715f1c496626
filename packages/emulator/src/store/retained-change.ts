/** Kind of a change; `expiry` is the delete of an item whose time to live has ended. */
export type ChangeKind = 'create' | 'replace' | 'delete' | 'expiry'

interface Change {
  readonly kind: ChangeKind
  /** Number of the change among all retained changes of its container. */
  readonly sequence: number
  readonly lsn: number
  /** Time of the change, in seconds since 1970. */
  readonly timestamp: number
  readonly id: string
  readonly keyText: string
  readonly effectiveKey: string
  /** Number of the item in its container; its resource id contains the number. */
  readonly ordinal: number
  /** LSN of the former version of the item; 0 for a create. */
  readonly previousLsn: number
}

/** A change to retain. */
export interface NewChange extends Change {
  /** The version that the change stored; undefined for a delete. */
  readonly current: ImageSource | undefined
  /** The former version, if the container keeps it. */
  readonly previous: ImageSource | undefined
}

/** A version of an item whose bytes can be copied. */
export interface ImageSource {
  readonly version: number
  readonly timestamp: number
  /** Bytes of the JSON without the system properties. */
  readonly length: number
  readonly copyTo: (target: Buffer, at: number) => void
}

/** A version of an item; its JSON has no system properties. */
export interface Image {
  readonly version: number
  readonly timestamp: number
  readonly ordinal: number
  json(): string
}

const KINDS: readonly ChangeKind[] = ['create', 'replace', 'delete', 'expiry']

// offsets of the fixed fields of a change; an image is its timestamp, length and version
const KIND = 4
const ID_LENGTH = 6
const KEY_LENGTH = 8
const HASH_LENGTH = 10
const TIMESTAMP = 12
const SEQUENCE = 16
const LSN = 24
const ORDINAL = 32
const PREVIOUS_LSN = 40
const CURRENT = 48
const PREVIOUS = 64
const HEADER_BYTES = 80

/** Number of bytes that `writeChange` writes. */
export function changeLength({ id, keyText, effectiveKey, current, previous }: NewChange): number {
  const texts = Buffer.byteLength(id) + Buffer.byteLength(keyText) + effectiveKey.length
  return HEADER_BYTES + texts + (current?.length ?? 0) + (previous?.length ?? 0)
}

/** Writes a change as bytes. The first four bytes are the length of the change. */
export function writeChange(bytes: Buffer, start: number, change: NewChange): void {
  const { current, previous, effectiveKey } = change
  let at = start + HEADER_BYTES
  const idLength = bytes.write(change.id, at, 'utf8')
  const keyLength = bytes.write(change.keyText, (at += idLength), 'utf8')
  at += keyLength
  at += bytes.write(effectiveKey, at, 'latin1')
  current?.copyTo(bytes, at)
  at += current?.length ?? 0
  previous?.copyTo(bytes, at)
  at += previous?.length ?? 0
  bytes.writeUInt32LE(at - start, start)
  bytes.writeUInt16LE(KINDS.indexOf(change.kind), start + KIND)
  bytes.writeUInt16LE(idLength, start + ID_LENGTH)
  bytes.writeUInt16LE(keyLength, start + KEY_LENGTH)
  bytes.writeUInt16LE(effectiveKey.length, start + HASH_LENGTH)
  bytes.writeUInt32LE(change.timestamp, start + TIMESTAMP)
  bytes.writeDoubleLE(change.sequence, start + SEQUENCE)
  bytes.writeDoubleLE(change.lsn, start + LSN)
  bytes.writeDoubleLE(change.ordinal, start + ORDINAL)
  bytes.writeDoubleLE(change.previousLsn, start + PREVIOUS_LSN)
  writeImage(bytes, start + CURRENT, current)
  writeImage(bytes, start + PREVIOUS, previous)
}

function writeImage(bytes: Buffer, at: number, image: ImageSource | undefined): void {
  bytes.writeUInt32LE(image?.timestamp ?? 0, at)
  bytes.writeUInt32LE(image?.length ?? 0, at + 4)
  bytes.writeDoubleLE(image?.version ?? 0, at + 8)
}

/** A change in a buffer; each property is decoded when it is read. */
export class RetainedChange implements Change {
  readonly #bytes: Buffer
  readonly #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Number of bytes of the change. */
  get length(): number {
    return this.#bytes.readUInt32LE(this.#at)
  }

  /** The change as bytes. */
  get entry(): Buffer {
    return this.#bytes.subarray(this.#at, this.#at + this.length)
  }

  get kind(): ChangeKind {
    return KINDS[this.#bytes.readUInt16LE(this.#at + KIND)]
  }

  get sequence(): number {
    return this.#bytes.readDoubleLE(this.#at + SEQUENCE)
  }

  get lsn(): number {
    return this.#bytes.readDoubleLE(this.#at + LSN)
  }

  get timestamp(): number {
    return this.#bytes.readUInt32LE(this.#at + TIMESTAMP)
  }

  get ordinal(): number {
    return this.#bytes.readDoubleLE(this.#at + ORDINAL)
  }

  get previousLsn(): number {
    return this.#bytes.readDoubleLE(this.#at + PREVIOUS_LSN)
  }

  get id(): string {
    return this.#text(0, this.#short(ID_LENGTH))
  }

  get keyText(): string {
    return this.#text(this.#short(ID_LENGTH), this.#short(KEY_LENGTH))
  }

  get effectiveKey(): string {
    return this.#text(this.#short(ID_LENGTH) + this.#short(KEY_LENGTH), this.#short(HASH_LENGTH))
  }

  /** The version that the change stored; undefined for a delete. */
  get current(): Image | undefined {
    return this.#image(CURRENT, 0)
  }

  /** The former version; undefined if the container did not keep it. */
  get previous(): Image | undefined {
    return this.#image(PREVIOUS, this.#imageLength(CURRENT))
  }

  #image(header: number, offset: number): Image | undefined {
    const length = this.#imageLength(header)
    if (length === 0) return undefined
    const start = offset + this.#short(ID_LENGTH) + this.#short(KEY_LENGTH) + this.#short(HASH_LENGTH)
    return {
      timestamp: this.#bytes.readUInt32LE(this.#at + header),
      version: this.#bytes.readDoubleLE(this.#at + header + 8),
      ordinal: this.ordinal,
      json: () => this.#text(start, length)
    }
  }

  #imageLength(header: number): number {
    return this.#bytes.readUInt32LE(this.#at + header + 4)
  }

  #short(offset: number): number {
    return this.#bytes.readUInt16LE(this.#at + offset)
  }

  #text(offset: number, length: number): string {
    const start = this.#at + HEADER_BYTES + offset
    return this.#bytes.toString('utf8', start, start + length)
  }
}
