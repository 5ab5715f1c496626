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
  if (!(body instanceof Uint8Array)) return joinInto(body, target, at)
  target.set(body, at)
  return at + body.length
}

/** The body as text. */
export function bodyText(body: Body): string {
  if (typeof body === 'string') return body
  const bytes = Buffer.allocUnsafe(bodyLength(body))
  writeBody(body, bytes, 0)
  return bytes.toString()
}
