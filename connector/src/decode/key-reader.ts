import type { FormatSettings } from '../config/settings.ts'
import { DecodeFailure } from './decode-failure.ts'
import { isNull } from './is-null.ts'
import { createValueReader, type ReaderOptions } from './value-reader.ts'

/** Gives a key as a plan reads it, or a promise after which to ask again; throws a DecodeFailure. */
export type ReadKey = (bytes: Uint8Array) => string | Uint8Array | null | Promise<void>

/** Makes what reads keys of a format: a key that is one text is that text, without quotes; one with members is JSON. */
export function createKeyReader(settings: FormatSettings, options: ReaderOptions): ReadKey {
  if (settings.format === 'text') return (bytes) => bytes
  if (settings.format === 'bytes') return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  const read = createValueReader(settings, options)
  return (bytes) => {
    const json = read(bytes)
    if (json instanceof Promise) return json
    if (isNull(json)) return null
    return json[0] === QUOTE ? textOf(json) : json
  }
}

const QUOTE = 0x22
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(json: Uint8Array): string {
  try {
    return JSON.parse(decoder.decode(json)) as string
  } catch {
    throw new DecodeFailure('it is not valid JSON')
  }
}
