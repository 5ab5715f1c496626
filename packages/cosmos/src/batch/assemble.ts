import { writeBody } from './body.ts'
import { writeOpening } from './opening.ts'
import type { Pending } from './pending.ts'

/** Writes the operations as one JSON array: each body is copied once, here. Gives the bytes that were written. */
export function assemble(operations: readonly Pending[], target: Buffer): Uint8Array {
  let at = 0
  target[at++] = OPEN_BRACKET
  for (const operation of operations) {
    if (at > 1) target[at++] = COMMA
    at = writeElement(operation, target, at)
  }
  target[at++] = CLOSE_BRACKET
  return target.subarray(0, at)
}

/** How many bytes `assemble` may need. */
export function assembledLength(operations: readonly Pending[]): number {
  let bytes = BRACKETS
  for (const operation of operations) bytes += operation.isConfirming ? Buffer.byteLength(readElement(operation)) + 1 : operation.bytes
  return bytes
}

const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d
const COMMA = 0x2c
const BRACKETS = 2

function writeElement(operation: Pending, target: Buffer, from: number): number {
  if (operation.isConfirming) return from + target.write(readElement(operation), from)
  let at = writeOpening(operation, target, from)
  if (operation.body !== undefined) at = writeBody(operation.body, target, at)
  target[at++] = CLOSE_BRACE
  return at
}

function readElement({ keyText, id }: Pending): string {
  return `{"operationType":"Read","partitionKey":${JSON.stringify(keyText)},"id":${JSON.stringify(id)}}`
}
