import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../service-error.ts'

/** How many bytes a length or a count takes. */
export type Width = 1 | 2 | 4

/** A place in bytes that moves on with every read; numbers are little-endian. */
export class ByteCursor {
  readonly bytes: Buffer
  at: number
  /** Characters that back references may still repeat: without a bound, few bytes could stand for gigabytes. */
  repeatable: number

  constructor(bytes: Buffer, at: number, repeatable: number = MAX_REPEATED) {
    this.bytes = bytes
    this.at = at
    this.repeatable = repeatable
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw malformed('it ends too early')
    const taken = this.bytes.subarray(this.at, end)
    this.at = end
    return taken
  }

  byte(): number {
    return this.take(1)[0]
  }

  length(width: Width): number {
    return this.take(width).readUIntLE(0, width)
  }

  text(length: number): string {
    const taken = this.take(length)
    if (!isUtf8(taken)) throw malformed('a text in it is not valid UTF-8')
    return taken.toString('utf8')
  }
}

const MAX_REPEATED = 64 * 1024 * 1024

/** The refusal of binary JSON that cannot be read. */
export function malformed(reason: string): ServiceError {
  return new ServiceError(400, `The request body is not valid binary JSON: ${reason}.`)
}
