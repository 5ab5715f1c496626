import { countTerms } from '../charge/index-terms.ts'
import { CanonicalScanner } from '../json/canonical-scanner.ts'
import type { Container } from './container.ts'
import type { DocumentContent, DocumentPlace } from './document-content.ts'
import { SYSTEM_PROPERTIES } from './document-text.ts'
import type { KnownMembers } from './known-members.ts'
import { keyOfDocument } from './partition-key.ts'

/** A document whose bytes are already what would be stored: it becomes an object only when somebody asks for one. */
export class CanonicalDocument implements DocumentContent, DocumentPlace {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly isAscii: boolean
  readonly id: unknown
  readonly ttl: unknown
  readonly #scalars: number
  readonly #keyText: string | undefined
  #document: Record<string, unknown> | undefined = undefined

  constructor(bytes: Buffer, start: number, end: number, known: KnownMembers) {
    this.bytes = bytes
    this.start = start
    this.end = end
    this.isAscii = scanner.isAscii
    this.#scalars = scanner.scalars
    this.id = this.#value(known.id)
    this.ttl = this.#value(known.ttl)
    this.#keyText = known.key === undefined ? undefined : this.#keyTextOf(known.key)
  }

  get document(): Record<string, unknown> {
    return (this.#document ??= JSON.parse(this.text) as Record<string, unknown>)
  }

  get text(): string {
    return this.#slice(this.start, this.end)
  }

  get length(): number {
    return this.end - this.start
  }

  get place(): DocumentPlace {
    return this
  }

  keyText(container: Container): string {
    return this.#keyText ?? keyOfDocument(this.document, container.keyPaths).text
  }

  terms(container: Container): number {
    const { isIndexed } = container
    if (isIndexed === undefined) return countTerms(this.document, container.indexPolicy)
    return isIndexed ? this.#scalars : 0
  }

  #value(name: Buffer): unknown {
    const at = findMember(this.bytes, name)
    if (at < 0) return undefined
    const start = valueStart(at)
    const end = scanner.valueEnds[at]
    // cut out of the bytes and not out of a text, which would stay as long as an id does
    if (isPlainText(this.bytes, start, end)) return this.#slice(start + 1, end - 1)
    return JSON.parse(this.#slice(start, end))
  }

  // a scalar of a canonical text is written like the value of a key
  #keyTextOf(names: readonly Buffer[]): string {
    let text = ''
    for (const [level, name] of names.entries()) {
      const at = findMember(this.bytes, name)
      const first = at < 0 ? undefined : this.bytes[valueStart(at)]
      const isScalar = at >= 0 && first !== OPEN_BRACE && first !== OPEN_BRACKET
      const value = isScalar ? this.#slice(valueStart(at), scanner.valueEnds[at]) : ABSENT
      text = level === 0 ? value : `${text},${value}`
    }
    return text
  }

  #slice(start: number, end: number): string {
    return this.bytes.toString(this.isAscii ? 'latin1' : 'utf8', start, end)
  }
}

/** The document at `at`; undefined when it is not certain that its text is canonical, or when it holds system properties. */
export function scanDocument(bytes: Buffer, view: DataView, at: number, known: KnownMembers): CanonicalDocument | undefined {
  const end = scanner.scan(bytes, view, at, bytes.length)
  return end > 0 && !holdsSystemProperty(bytes) ? new CanonicalDocument(bytes, at, end, known) : undefined
}

const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22
const UNDERSCORE = 0x5f
const ABSENT = '{}'
const SYSTEM_NAMES = SYSTEM_PROPERTIES.map((name) => Buffer.from(name))

// holds what the last scan found, until a document is made of it
const scanner = new CanonicalScanner()

function holdsSystemProperty(bytes: Buffer): boolean {
  for (let at = 0; at < scanner.memberCount; at++) {
    if (bytes[scanner.nameStarts[at]] === UNDERSCORE && SYSTEM_NAMES.some((name) => isName(bytes, at, name))) return true
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
