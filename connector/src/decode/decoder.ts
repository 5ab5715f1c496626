import { KeystampError } from '@keystamp/core'
import type { SinkSettings } from '../config/settings.ts'
import type { OversizedBatch, SinkRecord } from '../record.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { DecodeFailure, toRejection } from './decode-failure.ts'
import { createKeyReader, createValueReader, isNull, type ReadKey, type ReadValue } from './readers.ts'
import { JsonTarget } from './json/json-target.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { RegistryDependencies } from './registry-client.ts'

/** A record whose value and key have become readable. */
export interface Decoded {
  readonly ok: true
  /** The document as JSON bytes, untouched where the record was JSON; undefined for a tombstone. */
  readonly json: Uint8Array | undefined
  /** The key as text: JSON where it has members. Null where the record has none. */
  readonly key: string | Uint8Array | null
}

/**
 * Turns records into JSON. Answers at once, or with a promise where a schema has to be fetched first; a failure is an answer.
 * The promise rejects only with what stops the work.
 */
export interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, when they do: a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/**
 * Makes the decoder of a sink. Records whose schema is known are answered at once.
 * While a registry cannot be reached a record waits, and `waitingFor` says so; a registry that refuses the credentials makes the promise reject.
 * After `close` what waits is never answered.
 */
export function createDecoder(
  settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>,
  surroundings: Partial<RegistryDependencies> = {}
): Decoder {
  const registry = registryFor(settings, surroundings)
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
      // a null with a schema is a tombstone, as for Connect; the word alone may be a mistake, and a tombstone can delete
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
  surroundings: Partial<RegistryDependencies>
): Registry | undefined {
  if (key.format !== 'registry' && value.format !== 'registry') return undefined
  if (registry === undefined)
    throw new KeystampError('CONFIG_INVALID', 'The format `registry` needs to know where the registry is: `registry.url`.')
  return createRegistry(registry, surroundings)
}

function usable<T>(side: 'key' | 'value', create: () => T): T {
  try {
    return create()
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error
    throw new KeystampError('CONFIG_INVALID', `The format of the ${side} cannot be used: ${error.message}.`, { cause: error })
  }
}
