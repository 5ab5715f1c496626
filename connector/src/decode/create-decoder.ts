import { KeystampError } from '@keystamp/core'

import type { OversizedBatch } from '../consume/bounded-fetch.ts'
import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import type { SinkSettings } from '../config/settings.ts'
import { DecodeFailure, toRejection } from './decode-failure.ts'
import type { Decoded, Decoder } from './decoder.ts'
import { isNull } from './is-null.ts'
import { JsonTarget } from './json/json-target.ts'
import { createKeyReader, type ReadKey } from './key-reader.ts'
import { createRegistry, type Registry, type RegistrySurroundings } from './registry/registry.ts'
import { createValueReader, type ReadValue } from './value-reader.ts'

/**
 * Makes the decoder of a sink. Records whose schema is known are answered at once.
 * While a registry cannot be reached a record waits, and `waitingFor` says so; a registry that refuses the credentials makes the promise reject.
 * After `close` what waits is never answered.
 */
export function createDecoder(
  settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>,
  surroundings: Partial<RegistrySurroundings> = {}
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
  const message = `${size}, so none of its records was read. See \`kafka.maxInflatedBatch\` and \`kafka.onOversizedBatch\`.`
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
  surroundings: Partial<RegistrySurroundings>
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
