import { isUtf8 } from 'node:buffer'
import type { ItemOperation, OperationType } from '../engine/item-operation.ts'
import { scanText } from '../json/canonical-scanner.ts'
import { TextCache } from '../json/text-cache.ts'
import type { PartitionKey } from '../partition/partition-key.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { type KnownMembers, scanDocument } from '../store/document.ts'
import { parseJsonBody } from './request-body.ts'

const MAX_OPERATIONS = 100

/** Reads the array of a bulk or batch request; canonical documents stay bytes. */
export function parseOperations(body: Buffer, known: KnownMembers): Record<string, unknown>[] {
  return readCanonicalOperations(body, known) ?? parseAll(body)
}

function parseAll(body: Buffer): Record<string, unknown>[] {
  // the .NET SDK writes batches in HybridRow, whose first byte is its version
  if (body[0] === 0x81)
    throw new ServiceError(501, 'A batch in the binary HybridRow format is not supported: send JSON.')
  const operations = parseJsonBody(body)
  refuseUnless(Array.isArray(operations), 'A bulk or batch request must be a JSON array of operations.')
  refuseUnless(operations.length > 0, 'Batch request has no operations.')
  refuseUnless(
    operations.length <= MAX_OPERATIONS,
    `A bulk or batch request has at most ${MAX_OPERATIONS} operations, this one has ${operations.length}.`
  )
  return operations.map((operation: unknown, index) => {
    refuseUnless(isObject(operation), `Operation ${index} must be an object.`)
    refuseUnless(
      isType(operation['operationType']),
      `Operation ${index} has no known 'operationType': ${JSON.stringify(operation['operationType'])}.`
    )
    return operation
  })
}

/** An element of a bulk or batch request as an operation on an item. */
export function toItemOperation(element: Record<string, unknown>, key: PartitionKey): ItemOperation {
  return {
    type: element['operationType'] as OperationType,
    key,
    id: element['id'] as string | undefined,
    ordinal: undefined,
    body: element['resourceBody'],
    ifMatch: textOf(element, 'ifMatch'),
    ifNoneMatch: textOf(element, 'ifNoneMatch')
  }
}

function isType(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(TYPES, type)
}

const TYPES: Readonly<Record<OperationType, true>> = {
  Create: true,
  Upsert: true,
  Replace: true,
  Read: true,
  Delete: true,
  Patch: true
}

function textOf(element: Record<string, unknown>, name: string): string | undefined {
  const value = element[name]
  return typeof value === 'string' && value.length > 0 ? value : undefined
}

/**
 * The operations of a bulk or batch request that consists of creates and upserts of canonical documents, as compact
 * JSON; their bodies are not parsed. Undefined for any other request, valid or not.
 */
export function readCanonicalOperations(body: Buffer, known: KnownMembers): Record<string, unknown>[] | undefined {
  if (body[0] !== OPEN_BRACKET || body.at(-1) !== CLOSE_BRACKET || !isUtf8(body)) return undefined
  const reader = new OperationReader(body, known)
  const operations: Record<string, unknown>[] = []
  do {
    const operation = reader.read()
    if (operation === undefined || operations.push(operation) > MAX_OPERATIONS) return undefined
  } while (reader.skip(COMMA))
  return reader.skip(CLOSE_BRACKET) && reader.isAtEnd ? operations : undefined
}

const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const UPSERT = Buffer.from('{"operationType":"Upsert"')
const CREATE = Buffer.from('{"operationType":"Create"')
const KEY = Buffer.from(',"partitionKey":"')
const DOCUMENT = Buffer.from(',"resourceBody":')

class OperationReader {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #known: KnownMembers
  #at = 1

  constructor(bytes: Buffer, known: KnownMembers) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#known = known
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  skip(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false
    this.#at += 1
    return true
  }

  /** The next operation: its type, then its key and its document in either order. */
  read(): Record<string, unknown> | undefined {
    const operationType = this.#skipAll(UPSERT) ? 'Upsert' : this.#skipAll(CREATE) ? 'Create' : undefined
    if (operationType === undefined) return undefined
    const early = this.#readKey()
    const resourceBody = this.#readDocument()
    const partitionKey = early ?? this.#readKey()
    if (partitionKey === undefined || resourceBody === undefined || !this.skip(CLOSE_BRACE)) return undefined
    return { operationType, partitionKey, resourceBody }
  }

  #readKey(): string | undefined {
    if (!this.#skipAll(KEY)) return undefined
    const start = this.#at - 1
    const end = scanText(this.#bytes, this.#view, this.#at, this.#bytes.length)
    if (end === 0) return undefined
    this.#at = end < 0 ? ~end : end
    return end < 0 ? keyOf(this.#bytes.toString('utf8', start, this.#at)) : KEYS.read(this.#bytes, start, this.#at)
  }

  #readDocument(): unknown {
    if (!this.#skipAll(DOCUMENT)) return undefined
    const document = scanDocument(this.#bytes, this.#view, this.#at, this.#known)
    if (document !== undefined) this.#at = document.end
    return document
  }

  #skipAll(expected: Buffer): boolean {
    const at = this.#at
    for (let i = 0; i < expected.length; i++) if (this.#bytes[at + i] !== expected[i]) return false
    this.#at = at + expected.length
    return true
  }
}

// a bulk request repeats its keys
const KEYS: TextCache<string> = new TextCache(keyOf)

// most keys are one string: ["…"], with both quotes escaped
function keyOf(text: string): string {
  const inner = text.slice(4, -4)
  const isPlain = text.startsWith('"[\\"') && text.endsWith('\\"]"') && !inner.includes('\\')
  return isPlain ? `["${inner}"]` : (JSON.parse(text) as string)
}
