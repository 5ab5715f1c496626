import { KeystampError } from '@keystamp/core'
import type { SinkSettings } from '../config/settings.ts'
import type { OversizedBatch, SinkRecord } from '../record.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { DecodeFailure, toRejection } from './decode-failure.ts'
import { createKeyReader, createValueReader, isNull, type ReadKey, type ReadValue } from './readers.ts'
import { JsonTarget } from './json/json-target.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { RegistryDependencies } from './registry-client.ts'

/** Record with decoded value and key. */
export interface Decoded {
  readonly ok: true
  /** Document as JSON bytes: the original bytes where the record was JSON. Undefined for a tombstone. */
  readonly json: Uint8Array | undefined
  /** Key as a string, or as JSON where it is an object or array. Null where the record has none. */
  readonly key: string | Uint8Array | null
}

/**
 * Decodes records to JSON. Returns a result at once, or a promise where a schema has to be fetched first; a failure is a result. The promise
 * rejects only with errors that stop the sink.
 */
export interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, such as a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/**
 * Creates the decoder of a sink. Records whose schema is known are decoded synchronously. While the registry cannot be reached, a record waits,
 * and `waitingFor` gives the reason; refused credentials make the promise reject. After `close`, waiting records never get a result.
 */
export function createDecoder(
  settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>,
  dependencies: Partial<RegistryDependencies> = {}
): Decoder {
  const registry = registryFor(settings, dependencies)
  const options = { numbers: settings.numbers, target: new JsonTarget(), registry }
  const readValue = usable('value', () => createValueReader(settings.value, options))
  const readKey = usable('key', () => createKeyReader(settings.key, options))
  const hasNull = settings.value.format !== 'json'
  return {
    decode,
    get waitingFor() {
      return registry?.waitingFor
    },
    close: () => registry?.close()
  }

  function decode(record: SinkRecord): Decoded | SinkRejection | Promise<Decoded | SinkRejection> {
    if (record.value === null && record.oversizedBatch !== undefined) return oversized(record.oversizedBatch)
    let side: 'key' | 'value' = 'value'
    try {
      const json = valueOf(record, readValue)
      if (json instanceof Promise) return json.then(() => decode(record))
      side = 'key'
      const key = keyOf(record, readKey)
      if (key instanceof Promise) return key.then(() => decode(record))
      // an envelope whose payload is null is a tombstone, as in Connect; a bare null may be a mistake, and a tombstone can delete a document
      return { ok: true, json: json === undefined || (hasNull && isNull(json)) ? undefined : json, key }
    } catch (failure) {
      return toRejection(failure, side, FORMAT_NAMES[settings[side].format])
    }
  }
}

function oversized({ firstOffset, lastOffset, bytes, maxBytes }: OversizedBatch): SinkRejection {
  const size = `The batch of offsets ${firstOffset} to ${lastOffset} (${bytes} bytes as it was fetched) takes more than ${maxBytes} bytes of memory`
  const message = `${size}, so none of its records was read. See \`kafka.maxDecompressedBytes\` and \`kafka.onOversizedBatch\`.`
  return { ok: false, stage: 'decode', code: 'BATCH_TOO_LARGE', message, path: '' }
}

const FORMAT_NAMES = {
  json: 'JSON',
  'json-envelope': 'JSON with a schema',
  text: 'text',
  bytes: 'bytes',
  registry: 'a value of the schema registry',
  avro: 'Avro'
} as const

function valueOf({ value }: SinkRecord, read: ReadValue): Uint8Array | undefined | Promise<void> {
  return value === null ? undefined : read(value)
}

function keyOf({ key }: SinkRecord, read: ReadKey): string | Uint8Array | null | Promise<void> {
  return key === null ? null : read(key)
}

function registryFor(
  { key, value, registry }: Pick<SinkSettings, 'key' | 'value' | 'registry'>,
  dependencies: Partial<RegistryDependencies>
): Registry | undefined {
  if (key.format !== 'registry' && value.format !== 'registry') return undefined
  if (registry === undefined)
    throw new KeystampError('CONFIG_INVALID', 'The format `registry` needs to know where the registry is: `registry.url`.')
  return createRegistry(registry, dependencies)
}

function usable<T>(side: 'key' | 'value', create: () => T): T {
  try {
    return create()
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error
    throw new KeystampError('CONFIG_INVALID', `The format of the ${side} cannot be used: ${error.message}.`, { cause: error })
  }
}
