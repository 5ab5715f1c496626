import type { ShapeStep } from '../../src/config/shape-settings.ts'
import { shapeSchema } from '../../src/config/schema/shape-schema.ts'
import type { SinkSettings, ValueSettings } from '../../src/config/settings.ts'
import type { Decoded, Decoder } from '../../src/decode/decoder.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createShapedDecoder } from '../../src/shape/shaped-decoder.ts'
import { type Bytes, recordOf, SETTINGS_OF_NUMBERS } from '../decode/decoding.ts'

/** Parses the steps of a shape as the configuration does. */
export function shapeOf(...steps: readonly object[]): readonly ShapeStep[] {
  return shapeSchema.parse(steps)
}

interface Given {
  readonly key?: Bytes
  readonly keyFormat?: SinkSettings['key']
  readonly valueFormat?: ValueSettings
  readonly numbers?: Partial<SinkSettings['numbers']>
  readonly record?: Partial<SinkRecord>
}

function decoderOf(steps: readonly object[], given: Given): Decoder {
  const { keyFormat = { format: 'text' }, valueFormat = { format: 'json' }, numbers } = given
  return createShapedDecoder({
    value: valueFormat,
    key: keyFormat,
    registry: undefined,
    numbers: { ...SETTINGS_OF_NUMBERS, ...numbers },
    shape: shapeOf(...steps)
  })
}

/** The documents of several records, which one decoder shapes one after the other. */
export function shapedTexts(steps: readonly object[], values: readonly string[]): readonly string[] {
  const decoder = decoderOf(steps, {})
  return values.map((value) => {
    const { json } = decoder.decode(recordOf(value)) as Decoded
    return Buffer.from(json!).toString()
  })
}

/** Decodes a record and applies these steps to it. */
export function shaped(steps: readonly object[], value: Bytes, given: Given = {}): Decoded | SinkRejection {
  const { key = null, record } = given
  const decoder = decoderOf(steps, given)
  const result = decoder.decode({ ...recordOf(value, key), ...record })
  if (result instanceof Promise) throw new Error('The decoder did not answer at once.')
  return result
}

/** The document, as text; the message of a rejection; or `dropped`. */
export function shapedText(steps: readonly object[], value: Bytes, given: Given = {}): string | undefined {
  const result = shaped(steps, value, given)
  if (!result.ok) return `${result.code} ${result.path}: ${result.message}`
  if (result.change?.kind === 'ignore') return 'dropped'
  return result.json === undefined ? undefined : Buffer.from(result.json).toString()
}
