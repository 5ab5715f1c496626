import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import type { JsonTarget } from '../json/json-target.ts'
import type { AvroSource } from './avro-source.ts'
import type { AvroType } from './avro-type.ts'
import { compileWriter } from './compile-writer.ts'

/** Gives the JSON of the Avro value that fills `bytes` from `from` on; throws a DecodeFailure. */
export type ReadAvro = (bytes: Uint8Array, from: number) => Buffer

/** Compiles a schema into what reads its values. Readers may share a source and a target. */
export function createAvroReader(type: AvroType, numbers: NumberPolicy, source: AvroSource, target: JsonTarget): ReadAvro {
  const write = compileWriter(type, numbers)
  return (bytes, from) => {
    source.open(bytes, from)
    target.begin()
    write(source, target)
    if (source.at !== source.end) throw new DecodeFailure('bytes are left behind the value: it was written with another schema')
    return target.end()
  }
}
