import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { InputFile } from '../inputs/find-inputs.ts'
import type { InputPosition } from '../inputs/read-lines.ts'

/** CRC-32 of the first bytes of a file. */
export interface Checksum {
  readonly bytes: number
  readonly crc32: number
}

/** An input as a checkpoint stores it. */
export interface StoredInput extends InputFile {
  /** Checksum of the bytes before the position; missing where the load has not reached the input, or where the file changed during the load. */
  readonly checked?: Checksum
}

/** Computes the checksums of a load's inputs up to its current position. */
export interface InputChecksums {
  readonly advanceTo: (position: InputPosition) => Promise<readonly StoredInput[]>
}

export interface InputChecksumsOptions {
  readonly inputs: readonly InputFile[]
  /** Inputs that can only be resumed unchanged: compressed ones, arrays, and all of them with `--id position`. */
  readonly isWhole: (name: string) => boolean
  /** Checksums of the run that is resumed. */
  readonly known: readonly (Checksum | undefined)[]
}

const NOTHING: Checksum = { bytes: 0, crc32: 0 }
// large: while records are written, each read waits for a turn of a busy event loop
const CHUNK_BYTES = 4 << 20
// a large compressed file is much longer than the part that is loaded in a second
const MAX_BYTES_AHEAD = 64 << 20

export function createInputChecksums({ inputs, isWhole, known }: InputChecksumsOptions): InputChecksums {
  const checked = inputs.map((_, index): Checksum | undefined => known[index] ?? NOTHING)

  async function advanceTo({ input, byte = 0 }: InputPosition): Promise<readonly StoredInput[]> {
    for (let index = 0; index <= input && index < inputs.length; index++) {
      const file = inputs[index]
      const before = checked[index]
      if (file.bytes === null || before === undefined) continue
      const end = index < input || isWhole(file.name) ? file.bytes : Math.min(byte, file.bytes)
      const until = isWhole(file.name) ? Math.min(end, before.bytes + MAX_BYTES_AHEAD) : end
      if (until > before.bytes) checked[index] = await continueChecksum(file, before, until).catch(() => undefined)
    }
    return inputs.map((file, index) => {
      const found = index <= input ? checked[index] : undefined
      return found === undefined || file.bytes === null ? file : { ...file, checked: found }
    })
  }

  return { advanceTo }
}

/** Undefined where the file has changed since the load began: the bytes on disk are then not those that were loaded. */
async function continueChecksum({ name, bytes, changedMs }: InputFile, before: Checksum, end: number): Promise<Checksum | undefined> {
  const file = await open(name, 'r')
  try {
    const crc = await readChecksum(file, before, end)
    const now = await file.stat()
    return now.size === bytes && now.mtimeMs === changedMs ? { bytes: end, crc32: crc } : undefined
  } finally {
    await file.close()
  }
}

/** CRC-32 of the first bytes of a file; fewer where the file is shorter. */
export async function checksumOf(name: string, bytes: number): Promise<number> {
  const file = await open(name, 'r')
  try {
    return await readChecksum(file, NOTHING, bytes)
  } finally {
    await file.close()
  }
}

async function readChecksum(file: Awaited<ReturnType<typeof open>>, before: Checksum, end: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, end - before.bytes)))
  let crc = before.crc32
  for (let position = before.bytes; position < end;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position)
    if (bytesRead === 0) break
    crc = crc32(buffer.subarray(0, bytesRead), crc)
    position += bytesRead
  }
  return crc
}
