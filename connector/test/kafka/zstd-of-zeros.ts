/** Zstandard frame of `length` zero bytes, in blocks that repeat one byte: 4 bytes represent 128 KiB. */
export function zstdOfZeros(length: number): Buffer {
  const parts = [Buffer.from('28b52ffd0038', 'hex')]
  for (let left = length; left > 0; left -= BLOCK_BYTES) {
    const size = Math.min(left, BLOCK_BYTES)
    const isLast = left <= BLOCK_BYTES
    const header = Buffer.alloc(4)
    // last block, type 1 (one byte, repeated), size
    header.writeUIntLE((isLast ? 1 : 0) | (1 << 1) | (size << 3), 0, 3)
    parts.push(header)
  }
  return Buffer.concat(parts)
}

const BLOCK_BYTES = 128 * 1024
