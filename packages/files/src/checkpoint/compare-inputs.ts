import { open } from 'node:fs/promises'
import type { InputFile } from '../inputs/find-inputs.ts'
import { checksumOf, type StoredInput } from './input-checksums.ts'
import type { InputPosition } from '../inputs/read-lines.ts'

export interface CompareOptions {
  readonly stored: readonly StoredInput[]
  readonly inputs: readonly InputFile[]
  readonly position: InputPosition
  readonly isWhole: (name: string) => boolean
  /** With `--id position` the name is part of the id, so another spelling of the same path is another input. */
  readonly idsHoldNames: boolean
}

/** Result of comparing the inputs of a load with those of its checkpoint. */
export type Comparison = { readonly refusal: string } | { readonly changed: readonly string[] }

/** Compares the bytes before the position. Changes after the position are allowed, except where an input can only be resumed unchanged. */
export async function compareInputs({ stored, inputs, position, isWhole, idsHoldNames }: CompareOptions): Promise<Comparison> {
  const changed: string[] = []
  for (let index = 0; index <= position.input; index++) {
    const before = stored[index]
    const now = inputs[index]
    if (before === undefined || now === undefined || !isSameFile(before, now, idsHoldNames)) return { refusal: otherInput(before, now) }
    // standard input cannot be compared: the same bytes have to come again
    if (now.bytes === null || (now.bytes === before.bytes && now.changedMs === before.changedMs)) continue
    const isLoaded = index < position.input
    if (!isLoaded && position.line === 0) continue
    const isUnchanged = isLoaded || isWhole(now.name) ? await isSameWhole(before, now) : await isSameBefore(before, now, position)
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
  return `it was written for other inputs: for ${before.name} where ${now.name} is now.`
}

async function isSameWhole({ bytes, checked }: StoredInput, now: InputFile): Promise<boolean> {
  if (checked === undefined || checked.bytes !== bytes || now.bytes !== bytes) return false
  return (await checksumOf(now.name, checked.bytes)) === checked.crc32
}

async function isSameBefore({ bytes, checked }: StoredInput, now: InputFile, { byte }: InputPosition): Promise<boolean> {
  if (checked === undefined || byte === undefined || checked.bytes !== Math.min(byte, bytes ?? 0)) return false
  if (now.bytes! < checked.bytes || (await checksumOf(now.name, checked.bytes)) !== checked.crc32) return false
  return isLineEnd(now.name, checked.bytes)
}

/** A last line without a line end is a different line once it was extended. */
async function isLineEnd(name: string, end: number): Promise<boolean> {
  const file = await open(name, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, end - 1))
    return buffer[0] === NEWLINE || bytesRead < 2 || buffer[1] === NEWLINE || buffer[1] === RETURN
  } finally {
    await file.close()
  }
}

const NEWLINE = 0x0a
const RETURN = 0x0d

function refusalOf(name: string, isLoaded: boolean, isWhole: boolean, { line }: InputPosition): string {
  if (isLoaded) return `${name} has changed, and its records are loaded already.`
  if (isWhole)
    return `${name} has changed. A compressed input, an array, and any input with \`id: "position"\` can only be resumed unchanged.`
  return `${name} has changed at or before record ${line.toLocaleString('en-US')}, the last one that is loaded. Only what follows may change.`
}
