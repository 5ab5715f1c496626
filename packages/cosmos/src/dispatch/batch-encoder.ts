import { joinedLength, joinInto, type KeyComponent, type StampedBytes } from '@keystamp/core'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE, SPACE } from '@keystamp/core/internal'
import { keyText } from '../client/container.ts'
import type { PendingOperation } from './pending-operation.ts'

/** Maximum number of operations of one request. */
export const MAX_OPERATIONS = 100
/** Maximum bytes of one request, as in the official SDKs. An operation that is larger is sent alone. */
export const MAX_BATCH_BYTES = 220_201
/** Maximum bytes of a document, and of an atomic batch. */
export const MAX_DOCUMENT_BYTES: number = 2 * 1024 * 1024

/** Writes the operations as one JSON array. This is the only place that copies a body. Returns the written bytes. */
export function assemble(operations: readonly PendingOperation[], target: Buffer): Uint8Array {
  let at = 0
  target[at++] = OPEN_BRACKET
  for (const operation of operations) {
    if (at > 1) target[at++] = COMMA
    at = writeElement(operation, target, at)
  }
  target[at++] = CLOSE_BRACKET
  return target.subarray(0, at)
}

/** Upper bound for the bytes that `assemble` writes. */
export function assembledLength(operations: readonly PendingOperation[]): number {
  let bytes = BRACKETS
  for (const operation of operations)
    bytes += operation.isReading ? Buffer.byteLength(readElement(operation)) + 1 : operation.bytes
  return bytes
}

const BRACKETS = 2

function writeElement(operation: PendingOperation, target: Buffer, from: number): number {
  if (operation.isReading) return from + target.write(readElement(operation), from)
  let at = writeOpening(operation, target, from)
  if (operation.body !== undefined) at = writeBody(operation.body, target, at)
  target[at++] = CLOSE_BRACE
  return at
}

function readElement({ values, id }: PendingOperation): string {
  return `{"operationType":"Read","partitionKey":${JSON.stringify(keyText(values))},"id":${JSON.stringify(id)}}`
}

/** Body of a document: JSON as a string, unchanged JSON bytes, or JSON bytes with the insertions of a plan. */
export type Body = string | Uint8Array | StampedBytes

/** Number of bytes of the body in the request. */
export function bodyLength(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : joinedLength(body)
}

/** Writes the body into `target` and returns the position after it. */
function writeBody(body: Body, target: Buffer, at: number): number {
  if (typeof body === 'string') return at + target.write(body, at)
  if (!(body instanceof Uint8Array)) return joinInto(body, target, at)
  target.set(body, at)
  return at + body.length
}

/** The body as a string. */
export function bodyText(body: Body): string {
  if (typeof body === 'string') return body
  const bytes = Buffer.allocUnsafe(bodyLength(body))
  writeBody(body, bytes, 0)
  return bytes.toString()
}

/** Properties of an operation that the part before its body contains. */
type Opened = Pick<PendingOperation, 'type' | 'values' | 'id' | 'conditions' | 'body'>

/** Number of bytes before the body. */
export function openingLength(operation: Opened): number {
  const head = headOf(operation)
  if (head !== undefined) {
    const values = plainLength(operation.values)
    if (values >= 0) return head.length + values + TAIL.length
  }
  return Buffer.byteLength(openingText(operation))
}

/** Writes the part before the body, and returns the position after it. */
function writeOpening(operation: Opened, target: Buffer, at: number): number {
  const head = headOf(operation)
  if (head !== undefined) {
    const end = writePlain(operation.values, target, copy(head, target, at))
    if (end >= 0) return copy(TAIL, target, end)
  }
  return at + target.write(openingText(operation), at)
}

// Almost all operations begin with the same bytes: copying them one by one costs less than joining, measuring and
// encoding a string.
const HEADS = {
  Upsert: ascii('{"operationType":"Upsert","partitionKey":"['),
  Create: ascii('{"operationType":"Create","partitionKey":"[')
}
const TAIL = ascii(']","resourceBody":')

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Fixed bytes of an operation with only key and body: the id of a created document is in its body. */
function headOf({ type, conditions, body }: Opened): Uint8Array | undefined {
  if (conditions.ifMatch !== undefined || body === undefined) return undefined
  return type === 'Upsert' ? HEADS.Upsert : type === 'Create' ? HEADS.Create : undefined
}

function copy(bytes: Uint8Array, target: Uint8Array, at: number): number {
  for (let index = 0; index < bytes.length; index++) target[at + index] = bytes[index]
  return at + bytes.length
}

const DELETE = 0x7f
/** A backslash and a quote, both before and after the value. */
const QUOTES_BYTES = 4

/**
 * Number of bytes of the values inside the key's JSON, including commas; -1 if a value is not an ASCII string without
 * escapes.
 */
function plainLength(values: readonly KeyComponent[]): number {
  let length = values.length - 1
  for (const value of values) {
    if (typeof value !== 'string') return -1
    for (let index = 0; index < value.length; index++) if (!isPlain(value.charCodeAt(index))) return -1
    length += value.length + QUOTES_BYTES
  }
  return length
}

/** Writes the values in the form that `plainLength` counts; returns -1 if a value is not plain. */
function writePlain(values: readonly KeyComponent[], target: Uint8Array, from: number): number {
  let at = from
  for (const value of values) {
    if (typeof value !== 'string') return -1
    if (at > from) target[at++] = COMMA
    target[at++] = BACKSLASH
    target[at++] = QUOTE
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index)
      if (!isPlain(unit)) return -1
      target[at++] = unit
    }
    target[at++] = BACKSLASH
    target[at++] = QUOTE
  }
  return at
}

function isPlain(unit: number): boolean {
  return unit >= SPACE && unit < DELETE && unit !== QUOTE && unit !== BACKSLASH
}

function openingText({ type, values, id, conditions: { ifMatch }, body }: Opened): string {
  if (type === 'Atomic') return ''
  let text = `{"operationType":"${type}","partitionKey":${JSON.stringify(keyText(values))}`
  if (type !== 'Upsert' && type !== 'Create') text += `,"id":${JSON.stringify(id)}`
  if (ifMatch !== undefined) text += `,"ifMatch":${JSON.stringify(ifMatch)}`
  return body === undefined ? text : `${text},"resourceBody":`
}

/**
 * Reuses the buffers of requests, because allocating several hundred kilobytes for each request costs more than filling
 * them.
 */
export class BufferPool {
  readonly #free: Buffer[] = []

  take(bytes: number): Buffer {
    if (bytes > POOLED_BYTES) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES)
  }

  /** Takes back a buffer that is no longer read. */
  release(buffer: Buffer): void {
    if (buffer.length === POOLED_BYTES && this.#free.length < MAX_FREE) this.#free.push(buffer)
  }
}

const POOLED_BYTES = 256 * 1024
const MAX_FREE = 32
