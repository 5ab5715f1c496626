import { writeBase64 } from './write-base64.ts'
import { createLabel, writeLabel } from './label.ts'
import { skipMark } from './skip-mark.ts'
import type { JsonTarget } from './json-target.ts'
import { writeText } from './write-text.ts'

const LABEL = createLabel('{"value":')
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d]

/** A text that is a JSON object is the document; any other becomes `{"value":"..."}`. */
export function documentOfText(given: Uint8Array, target: JsonTarget): Uint8Array {
  const bytes = skipMark(given)
  if (isObject(bytes)) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  target.begin()
  writeLabel(target, LABEL)
  writeText(target, bytes, view, 0, bytes.length)
  return closed(target)
}

/** Bytes become `{"value":"..."}` in base64. */
export function documentOfBytes(bytes: Uint8Array, target: JsonTarget): Uint8Array {
  target.begin()
  writeLabel(target, LABEL)
  writeBase64(target, bytes, 0, bytes.length)
  return closed(target)
}

function closed(target: JsonTarget): Uint8Array {
  target.reserve(1)
  target.put(CLOSE_BRACE)
  return target.end()
}

function isObject(bytes: Uint8Array): boolean {
  if (bytes.find((byte) => byte > 0x20) !== OPEN_BRACE) return false
  try {
    JSON.parse(decoder.decode(bytes))
    return true
  } catch {
    return false
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })
