import { joinedLength, joinInto, type StampedBytes } from '@keystamp/core'

/** What is stored: JSON text, JSON bytes as they came, or JSON bytes and what a plan puts into them. */
export type Body = string | Uint8Array | StampedBytes

/** How many bytes the body takes on the wire. */
export function bodyLength(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : joinedLength(body)
}

/** Writes the body into `target` and gives the position behind it. */
export function writeBody(body: Body, target: Buffer, at: number): number {
  if (typeof body === 'string') return at + target.write(body, at)
  if (body instanceof Uint8Array) return writeBytes(body, target, at)
  const { bytes, start, end, splices } = body
  const isWhole = splices.length === 0 && start === 0 && end === bytes.length
  return isWhole ? writeBytes(bytes, target, at) : joinInto(body, target, at)
}

/** The body as text. */
export function bodyText(body: Body): string {
  if (typeof body === 'string') return body
  const bytes = Buffer.allocUnsafe(bodyLength(body))
  writeBody(body, bytes, 0)
  return bytes.toString()
}

function writeBytes(bytes: Uint8Array, target: Buffer, at: number): number {
  target.set(bytes, at)
  return at + bytes.length
}
