import type { Logical, TimeName } from './avro-type.ts'

/** What avsc knows of the type below a logical type. */
interface Underlying {
  readonly typeName: string
  readonly size?: number
}

/** The logical type that a schema names; undefined where it does not fit the type below, which Avro then reads bare. */
export function logicalOf(schema: Readonly<Record<string, unknown>>, { typeName, size }: Underlying): Logical | undefined {
  const name = schema['logicalType']
  if (typeof name !== 'string') return undefined
  if (name === 'decimal') return typeName === 'bytes' || typeName === 'fixed' ? decimalOf(schema) : undefined
  if (name === 'uuid') return typeName === 'string' || (typeName === 'fixed' && size === UUID_BYTES) ? { name } : undefined
  if (name === 'duration') return typeName === 'fixed' && size === DURATION_BYTES ? { name } : undefined
  return Object.hasOwn(TIMES, name) && TIMES[name as TimeName] === typeName ? { name: name as TimeName } : undefined
}

const UUID_BYTES = 16
const DURATION_BYTES = 12

/** The logical types that are times, and the type that each belongs to. */
export const TIMES: Readonly<Record<TimeName, 'int' | 'long'>> = {
  date: 'int',
  'time-millis': 'int',
  'time-micros': 'long',
  'timestamp-millis': 'long',
  'timestamp-micros': 'long',
  'timestamp-nanos': 'long',
  'local-timestamp-millis': 'long',
  'local-timestamp-micros': 'long',
  'local-timestamp-nanos': 'long'
}

const MAX_PRECISION = 10_000

function decimalOf({ precision, scale = 0 }: { readonly precision?: unknown; readonly scale?: unknown }): Logical | undefined {
  const isPrecise = Number.isInteger(precision) && (precision as number) >= 1 && (precision as number) <= MAX_PRECISION
  if (!isPrecise || !Number.isInteger(scale)) return undefined
  const places = scale as number
  return places >= 0 && places <= (precision as number) ? { name: 'decimal', scale: places } : undefined
}
