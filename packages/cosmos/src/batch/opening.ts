import type { KeyValue } from '@keystamp/core'
import type { Pending } from './pending.ts'

/** The part of an operation that stands before its body. */
export type Opened = Pick<Pending, 'type' | 'values' | 'id' | 'terms' | 'body'>

/** How many bytes stand before the body. */
export function openingLength(operation: Opened): number {
  const head = headOf(operation)
  if (head !== undefined) {
    const values = plainLength(operation.values)
    if (values >= 0) return head.length + values + TAIL.length
  }
  return Buffer.byteLength(openingText(operation))
}

/** Writes what stands before the body, and gives the position behind it. */
export function writeOpening(operation: Opened, target: Buffer, at: number): number {
  const head = headOf(operation)
  if (head !== undefined) {
    const end = writePlain(operation.values, target, copy(head, target, at))
    if (end >= 0) return copy(TAIL, target, end)
  }
  return at + target.write(openingText(operation), at)
}

// Almost all operations begin with the same bytes: put there one by one, they cost less than a text that is joined, measured and encoded.
const HEADS = { Upsert: ascii('{"operationType":"Upsert","partitionKey":"['), Create: ascii('{"operationType":"Create","partitionKey":"[') }
const TAIL = ascii(']","resourceBody":')

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The fixed bytes of an operation that says nothing beside key and body: the id of what is created stands in its body. */
function headOf({ type, terms, body }: Opened): Uint8Array | undefined {
  if (terms.ifMatch !== undefined || body === undefined) return undefined
  return type === 'Upsert' ? HEADS.Upsert : type === 'Create' ? HEADS.Create : undefined
}

function copy(bytes: Uint8Array, target: Uint8Array, at: number): number {
  for (let index = 0; index < bytes.length; index++) target[at + index] = bytes[index]
  return at + bytes.length
}

const BACKSLASH = 0x5c
const COMMA = 0x2c
const QUOTE = 0x22
const SPACE = 0x20
const DELETE = 0x7f
/** Backslash and quote, twice. */
const QUOTES_BYTES = 4

/** Bytes of the values inside the text of the key, commas included; -1 where one is not just ASCII text that needs no escape. */
function plainLength(values: readonly KeyValue[]): number {
  let length = values.length - 1
  for (const value of values) {
    if (typeof value !== 'string') return -1
    for (let index = 0; index < value.length; index++) if (!isPlain(value.charCodeAt(index))) return -1
    length += value.length + QUOTES_BYTES
  }
  return length
}

/** Writes the values as `plainLength` counts them; -1 where one is not plain. */
function writePlain(values: readonly KeyValue[], target: Uint8Array, from: number): number {
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

function openingText({ type, values, id, terms: { ifMatch }, body }: Opened): string {
  if (type === 'Atomic') return ''
  let text = `{"operationType":"${type}","partitionKey":${JSON.stringify(JSON.stringify(values))}`
  if (type !== 'Upsert' && type !== 'Create') text += `,"id":${JSON.stringify(id)}`
  if (ifMatch !== undefined) text += `,"ifMatch":${JSON.stringify(ifMatch)}`
  return body === undefined ? text : `${text},"resourceBody":`
}
