import type { JsonTarget } from '../json/json-target.ts'
import { writeText } from '../json/write-text.ts'
import type { AvroSource } from './avro-source.ts'

/** Reads one value and writes it as JSON, without making an object of it. */
export type Write = (source: AvroSource, target: JsonTarget) => void

/** Texts, and the names in a map. */
export function writeString(source: AvroSource, target: JsonTarget): void {
  const length = source.readLength()
  const start = source.take(length)
  writeText(target, source.bytes, source.view, start, start + length)
}
