/** MurmurHash3 x86-32 with seed 0, as an unsigned number. */
export function murmur3X86(bytes: Uint8Array, length: number): number {
  let h = 0
  const blocks = length & ~3

  for (let at = 0; at < blocks; at += 4) {
    h ^= scramble(bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24))
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }

  let tail = 0
  for (let at = length - 1; at >= blocks; at--) tail = (tail << 8) | bytes[at]
  h ^= scramble(tail)

  h ^= length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function scramble(k: number): number {
  k = Math.imul(k, 0xcc9e2d51)
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593)
}
