import { type KeyScheme, sortableNumber } from './effective-key.ts'

/** The lowest and the highest boundary of every container. */
export const LOWEST = ''
export const HIGHEST = 'FF'

/** The `count - 1` inner boundaries that divide the key space of a new container into equal ranges. */
export function initialBoundaries(count: number, scheme: KeyScheme): string[] {
  const step = spaceTop(scheme) / BigInt(count)
  return Array.from({ length: count - 1 }, (_, index) => toBoundary(step * BigInt(index + 1), scheme))
}

/** The boundary in the middle of a range, or undefined when the range cannot be divided. */
export function middleBoundary(min: string, max: string, scheme: KeyScheme): string | undefined {
  const low = toNumber(min, scheme)
  const high = toNumber(max, scheme)
  const middle = toBoundary(low + (high - low) / 2n, scheme)
  return middle > min && middle < max ? middle : undefined
}

/** The position of a boundary in the hash space, from 0 to 1. */
export function spacePosition(boundary: string, scheme: KeyScheme): number {
  return Number(toNumber(boundary, scheme)) / Number(spaceTop(scheme))
}

function spaceTop(scheme: KeyScheme): bigint {
  return isV1(scheme) ? (1n << 32n) - 1n : (1n << 126n) - 1n
}

function isV1(scheme: KeyScheme): boolean {
  return scheme.kind === 'Hash' && scheme.version === 1
}

function toBoundary(value: bigint, scheme: KeyScheme): string {
  if (!isV1(scheme)) return value.toString(16).toUpperCase().padStart(32, '0')
  return Buffer.from(sortableNumber(Number(value)))
    .toString('hex')
    .toUpperCase()
}

function toNumber(boundary: string, scheme: KeyScheme): bigint {
  if (boundary === LOWEST) return 0n
  if (boundary === HIGHEST) return spaceTop(scheme)
  // a boundary between keys with the same first level is longer; its first 32 digits are the hash of that level
  return isV1(scheme) ? BigInt(fromSortable(boundary)) : BigInt('0x' + boundary.slice(0, 32).padEnd(32, '0'))
}

function fromSortable(boundary: string): number {
  const bytes = Buffer.from(boundary, 'hex')
  let bits = BigInt(bytes[1])
  let filled = 8n
  for (const byte of bytes.subarray(2)) {
    bits = (bits << 7n) | BigInt(byte >> 1)
    filled += 7n
  }
  bits = filled > 64n ? bits >> (filled - 64n) : bits << (64n - filled)
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits ^ (1n << 63n))
  return view.getFloat64(0)
}
