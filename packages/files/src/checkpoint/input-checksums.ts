import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { CARRIAGE_RETURN, NEWLINE } from '@keystamp/core/internal'
import type { InputFile } from '../inputs/find-inputs.ts'
import type { InputPosition } from '../inputs/read-lines.ts'

/** CRC-32 of the first bytes of a file. */
interface Checksum {
  readonly bytes: number
  readonly crc32: number
}

/** An input as a checkpoint stores it. */
export interface StoredInput extends InputFile {
  /**
   * Checksum of the bytes before the position; undefined if the load has not reached the input, or if the file changed
   * during the load.
   */
  readonly checked?: Checksum
}

/** Computes the checksums of a load's inputs up to its current position. */
export interface InputChecksums {
  readonly advanceTo: (position: InputPosition) => Promise<readonly StoredInput[]>
}

interface InputChecksumsOptions {
  readonly inputs: readonly InputFile[]
  /**
   * True if the load can only be resumed when this input has not changed at all: for compressed inputs and arrays, and
   * for every input with `--id position`.
   */
  readonly isWhole: (name: string) => boolean
  /** Checksums from the earlier run, by index of the input. */
  readonly known: readonly (Checksum | undefined)[]
}

const NOTHING: Checksum = { bytes: 0, crc32: 0 }
// large, because each read waits for the event loop, which is busy with writing records
const CHUNK_BYTES = 4 << 20
// Limits the bytes that one checkpoint reads: a large compressed file is much longer than the part that is loaded in a
// second.
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

/**
 * Returns undefined if the file has changed since the load began: then the bytes on disk may not be the loaded ones.
 */
async function continueChecksum(
  { name, bytes, changedMs }: InputFile,
  before: Checksum,
  end: number
): Promise<Checksum | undefined> {
  const file = await open(name, 'r')
  try {
    const crc = await readChecksum(file, before, end)
    const now = await file.stat()
    return now.size === bytes && now.mtimeMs === changedMs ? { bytes: end, crc32: crc } : undefined
  } finally {
    await file.close()
  }
}

/** CRC-32 of the first `bytes` bytes of a file, or of the whole file if it is shorter. */
async function checksumOf(name: string, bytes: number): Promise<number> {
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

interface CompareOptions {
  readonly stored: readonly StoredInput[]
  readonly inputs: readonly InputFile[]
  readonly position: InputPosition
  readonly isWhole: (name: string) => boolean
  /**
   * True with `--id position`: each id contains the name of its input, so another spelling of the same path is another
   * input.
   */
  readonly idsHoldNames: boolean
}

/** Result of comparing the inputs of a load with those of its checkpoint. */
type Comparison = { readonly refusal: string } | { readonly changed: readonly string[] }

/**
 * Compares the bytes before the position with their checksums. Changes after the position are allowed, except in inputs
 * for which `isWhole` is true.
 */
export async function compareInputs({
  stored,
  inputs,
  position,
  isWhole,
  idsHoldNames
}: CompareOptions): Promise<Comparison> {
  const changed: string[] = []
  for (let index = 0; index <= position.input; index++) {
    const before = stored[index]
    const now = inputs[index]
    if (before === undefined || now === undefined || !isSameFile(before, now, idsHoldNames))
      return { refusal: otherInput(before, now) }
    // standard input is not compared: its user must provide the same bytes again
    if (now.bytes === null || (now.bytes === before.bytes && now.changedMs === before.changedMs)) continue
    const isLoaded = index < position.input
    if (!isLoaded && position.line === 0) continue
    const isUnchanged =
      isLoaded || isWhole(now.name) ? await isSameWhole(before, now) : await isSameBefore(before, now, position)
    if (!isUnchanged) return { refusal: refusalOf(now.name, isLoaded, isWhole(now.name), position) }
    if (!isLoaded && now.bytes !== before.bytes) changed.push(now.name)
  }
  return { changed }
}

function isSameFile(before: StoredInput, now: InputFile, byName: boolean): boolean {
  return before.name === now.name || (!byName && before.path !== undefined && before.path === now.path)
}

function otherInput(before: StoredInput | undefined, now: InputFile | undefined): string {
  if (before === undefined || now === undefined) return 'it was written for other inputs.'
  return `it was written for other inputs: it has ${before.name} in place of ${now.name}.`
}

async function isSameWhole({ bytes, checked }: StoredInput, now: InputFile): Promise<boolean> {
  if (checked === undefined || checked.bytes !== bytes || now.bytes !== bytes) return false
  return (await checksumOf(now.name, checked.bytes)) === checked.crc32
}

async function isSameBefore(
  { bytes, checked }: StoredInput,
  now: InputFile,
  { byte }: InputPosition
): Promise<boolean> {
  if (checked === undefined || byte === undefined || checked.bytes !== Math.min(byte, bytes ?? 0)) return false
  if (now.bytes! < checked.bytes || (await checksumOf(now.name, checked.bytes)) !== checked.crc32) return false
  return isLineEnd(now.name, checked.bytes)
}

/**
 * Checks for a line end at `end`. If the last line had no line end, bytes that were appended have changed that line.
 */
async function isLineEnd(name: string, end: number): Promise<boolean> {
  const file = await open(name, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, end - 1))
    return buffer[0] === NEWLINE || bytesRead < 2 || buffer[1] === NEWLINE || buffer[1] === CARRIAGE_RETURN
  } finally {
    await file.close()
  }
}

function refusalOf(name: string, isLoaded: boolean, isWhole: boolean, { line }: InputPosition): string {
  if (isLoaded) return `${name} has changed, and its records are loaded already.`
  if (isWhole)
    return `${name} has changed. A compressed input, an array, and any input with \`id: "position"\` can only be resumed unchanged.`
  return `${name} has changed at or before record ${line.toLocaleString('en-US')}, the last one that is loaded. Only later records may change.`
}
