import type { FormatSettings, NumberPolicy } from '../config/settings.ts'
import type { Registry } from './registry/registry.ts'
import { AvroSource } from './avro/avro-source.ts'
import { createAvroReader } from './avro/create-avro-reader.ts'
import { parseSchema } from './avro/parse-schema.ts'
import { createEnvelopeReader } from './envelope/create-envelope-reader.ts'
import type { JsonTarget } from './json/json-target.ts'
import { skipMark } from './json/skip-mark.ts'
import { documentOfBytes, documentOfText } from './json/wrap.ts'
import { createRegistryReader } from './registry/registry-reader.ts'

/** Gives a value as JSON bytes, or a promise after which to ask again; throws a DecodeFailure. */
export type ReadValue = (bytes: Uint8Array) => Uint8Array | Promise<void>

export interface ReaderOptions {
  readonly numbers: NumberPolicy
  readonly target: JsonTarget
  readonly registry: Registry | undefined
}

/** Makes what reads values of a format. */
export function createValueReader(settings: FormatSettings, { numbers, target, registry }: ReaderOptions): ReadValue {
  switch (settings.format) {
    case 'json':
      return skipMark
    case 'json-envelope':
      return createEnvelopeReader(numbers, target)
    case 'text':
      return (bytes) => documentOfText(bytes, target)
    case 'bytes':
      return (bytes) => documentOfBytes(bytes, target)
    case 'avro': {
      const read = createAvroReader(parseSchema(settings.schema), numbers, new AvroSource(), target)
      return (bytes) => read(bytes, 0)
    }
    case 'registry':
      return createRegistryReader(registry!, numbers, target)
  }
}
