import { countTerms } from '../charge/index-policy.ts'
import { CanonicalScanner } from '../json/canonical-scanner.ts'
import { TextCache } from '../json/text-cache.ts'
import { keyOfDocument } from '../partition/partition-key.ts'
import type { Container } from './container.ts'

/** The document in a write. */
export type Document = CanonicalDocument | ObjectDocument

/** The properties that the service sets on every write, whatever the client sent. */
export const SYSTEM_PROPERTIES: readonly string[] = ['_rid', '_self', '_etag', '_attachments', '_ts']

/** Names, as bytes, of the properties that the emulator itself reads. */
export interface KnownMembers {
  readonly id: Buffer
  readonly ttl: Buffer
  /**
   * One for each level of the partition key; undefined when a key path has several names, or a name that every object
   * inherits.
   */
  readonly key: readonly Buffer[] | undefined
}

/** The known members of documents with these key paths. */
export function knownMembersOf(keyPaths: readonly (readonly string[])[]): KnownMembers {
  // a document without such a property would seem to have the property that it inherits from Object
  const isPlain = keyPaths.every((names) => names.length === 1 && !(names[0] in Object.prototype))
  return {
    id: Buffer.from('id'),
    ttl: Buffer.from('ttl'),
    key: isPlain ? keyPaths.map(([name]) => Buffer.from(name)) : undefined
  }
}

/** The document at `at`; undefined if its JSON is not certainly canonical, or if it has system properties. */
export function scanDocument(
  bytes: Buffer,
  view: DataView,
  at: number,
  known: KnownMembers
): CanonicalDocument | undefined {
  const end = scanner.scan(bytes, view, at, bytes.length)
  return end > 0 && !holdsSystemProperty(bytes) ? new CanonicalDocument(bytes, at, end, known) : undefined
}

/** A document whose bytes can be stored as is. It is parsed only when its value is read. */
export class CanonicalDocument {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly isAscii: boolean
  readonly id: unknown
  readonly ttl: unknown
  readonly #scalars: number
  readonly #keyText: string | undefined
  #value: Record<string, unknown> | undefined = undefined

  constructor(bytes: Buffer, start: number, end: number, known: KnownMembers) {
    this.bytes = bytes
    this.start = start
    this.end = end
    this.isAscii = scanner.isAscii
    this.#scalars = scanner.scalars
    this.id = this.#read(known.id)
    this.ttl = this.#read(known.ttl)
    this.#keyText = known.key === undefined ? undefined : this.#keyTextOf(known.key)
  }

  get value(): Record<string, unknown> {
    return (this.#value ??= JSON.parse(this.text) as Record<string, unknown>)
  }

  get text(): string {
    return this.#slice(this.start, this.end)
  }

  get length(): number {
    return this.end - this.start
  }

  keyText(container: Container): string {
    return this.#keyText ?? keyOfDocument(this.value, container.keyPaths).text
  }

  /** Number of index terms of the document, which the request charge depends on. */
  terms(container: Container): number {
    const { isIndexed } = container
    if (isIndexed === undefined) return countTerms(this.value, container.indexPolicy)
    return isIndexed ? this.#scalars : 0
  }

  #read(name: Buffer): unknown {
    const at = findMember(this.bytes, name)
    if (at < 0) return undefined
    const start = valueStart(at)
    const end = scanner.valueEnds[at]
    // a slice of a longer string would keep the whole string in memory for as long as the id
    if (isPlainText(this.bytes, start, end)) return this.#slice(start + 1, end - 1)
    return JSON.parse(this.#slice(start, end))
  }

  // in canonical JSON the bytes of a scalar are already the text of the key
  #keyTextOf(names: readonly Buffer[]): string {
    let text = ''
    for (const [level, name] of names.entries()) {
      const at = findMember(this.bytes, name)
      const first = at < 0 ? undefined : this.bytes[valueStart(at)]
      const isScalar = at >= 0 && first !== OPEN_BRACE && first !== OPEN_BRACKET
      const value = isScalar ? this.#keyLevel(valueStart(at), scanner.valueEnds[at]) : ABSENT
      text = level === 0 ? value : `${text},${value}`
    }
    return text
  }

  #keyLevel(start: number, end: number): string {
    return this.isAscii ? KEY_TEXTS.read(this.bytes, start, end) : this.#slice(start, end)
  }

  #slice(start: number, end: number): string {
    return this.bytes.toString(this.isAscii ? 'latin1' : 'utf8', start, end)
  }
}

/** A document that was parsed into an object, without the system properties. */
export class ObjectDocument {
  readonly id: unknown
  readonly ttl: unknown
  readonly bytes: undefined = undefined
  readonly #body: Record<string, unknown>
  #isClean = false
  #text: string | undefined = undefined

  constructor(body: Record<string, unknown>) {
    this.id = body['id']
    this.ttl = body['ttl']
    this.#body = body
  }

  get value(): Record<string, unknown> {
    if (!this.#isClean) removeSystemProperties(this.#body)
    this.#isClean = true
    return this.#body
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.value))
  }

  get length(): number {
    return Buffer.byteLength(this.text)
  }

  get isAscii(): boolean {
    return this.length === this.text.length
  }

  keyText(container: Container): string {
    return keyOfDocument(this.#body, container.keyPaths).text
  }

  /** Number of index terms of the document, which the request charge depends on. */
  terms(container: Container): number {
    return countTerms(this.value, container.indexPolicy)
  }
}

function removeSystemProperties(body: Record<string, unknown>): void {
  // JSON.stringify leaves out undefined, and setting it costs less than deleting the property
  for (const name of SYSTEM_PROPERTIES) if (body[name] !== undefined) body[name] = undefined
}

const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22
const UNDERSCORE = 0x5f
const ABSENT = '{}'
const SYSTEM_NAMES = SYSTEM_PROPERTIES.map((name) => Buffer.from(name))

const KEY_TEXTS: TextCache<string> = new TextCache((text) => text)

// holds the findings of the last scan until a document is created from them
const scanner = new CanonicalScanner()

function holdsSystemProperty(bytes: Buffer): boolean {
  for (let at = 0; at < scanner.memberCount; at++) {
    if (bytes[scanner.nameStarts[at]] === UNDERSCORE && SYSTEM_NAMES.some((name) => isName(bytes, at, name)))
      return true
  }
  return false
}

function findMember(bytes: Buffer, name: Buffer): number {
  for (let at = 0; at < scanner.memberCount; at++) if (isName(bytes, at, name)) return at
  return -1
}

function isName(bytes: Buffer, at: number, name: Buffer): boolean {
  if (scanner.nameLengths[at] !== name.length) return false
  const start = scanner.nameStarts[at]
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false
  return true
}

function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return false
  for (let p = start; p < end; p++) if (bytes[p] === BACKSLASH) return false
  return true
}

function valueStart(at: number): number {
  return scanner.nameStarts[at] + scanner.nameLengths[at] + 2
}
