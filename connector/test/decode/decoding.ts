import type { FormatSettings, SinkSettings, ValueSettings } from '../../src/config/settings.ts'
import { createDecoder, type Decoded, type Decoder } from '../../src/decode/decoder.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import { SETTINGS } from './registry-of.ts'

/** Input for a key or a value. */
export type Bytes = Uint8Array | string | null

/** Options of a decoder. */
export type DecoderSettings = Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>

/** Decodes a value and a key, each in its format. */
export function decode(
  value: Bytes,
  format: FormatSettings,
  key: Bytes = null,
  keyFormat: FormatSettings = { format: 'text' }
): unknown {
  return shown(createDecoder(settingsOf(format, keyFormat)).decode(recordOf(value, key)))
}

/** Settings of a decoder, with a registry that has only an address. */
export function settingsOf(value: ValueSettings, key: FormatSettings = { format: 'text' }): DecoderSettings {
  return { value, key, registry: SETTINGS, numbers: SETTINGS_OF_NUMBERS }
}

/** The defaults of `numbers`. */
export const SETTINGS_OF_NUMBERS: SinkSettings['numbers'] = { int64: 'string', decimal: 'string' }

/** A record with this value and key; its other fields do not matter. */
export function recordOf(value: Bytes, key: Bytes = null): SinkRecord {
  return {
    topic: 't',
    partition: 0,
    offset: 1 as SinkRecord['offset'],
    timestamp: '0',
    key: toBytes(key),
    value: toBytes(value),
    headers: {}
  }
}

function toBytes(given: Bytes): Uint8Array | null {
  return typeof given === 'string' ? Buffer.from(given) : given
}

/** Shows a result with its bytes as text. Fails if the decoder did not answer at once. */
export function shown(answer: ReturnType<Decoder['decode']> | Decoded | SinkRejection): unknown {
  if (answer instanceof Promise) throw new Error('The decoder did not answer at once.')
  if (!answer.ok) return answer
  const key = answer.key instanceof Uint8Array ? `bytes ${Buffer.from(answer.key).toString()}` : answer.key
  return { json: answer.json === undefined ? undefined : Buffer.from(answer.json).toString(), key }
}

/** Puts a zero byte and the schema id before the bytes, as users of a registry do. */
export function framed(id: number, rest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0, id >>> 24, (id >> 16) & 255, (id >> 8) & 255, id & 255]), rest])
}
