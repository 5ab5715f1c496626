import {
  createPlan,
  KeystampError,
  type Plan,
  type PlanDefinition,
  RECORD_CODES,
  type RecordCode
} from '@keystamp/core'
import type { KeyFunction, KeyOptions, KeyStamper, Refusal } from './key-stamper.ts'

/** Converts a plan, a plan's JSON, or a function of the record to a key stamper. */
export function toKeyStamper(source: unknown, options: KeyOptions): KeyStamper {
  if (typeof source === 'function') return functionStamper(source as KeyFunction<unknown>, options)
  if (options.into !== undefined || options.existing !== undefined) {
    throw new KeystampError(
      'OPTION_INVALID',
      '`into` and `existing` are options of a key function; a key plan has its own.'
    )
  }
  const plan = isPlan(source) ? source : createPlan(source as PlanDefinition, { random: options.random ?? Math.random })
  return {
    stampRecord: plan.stamp,
    stampBytes: (bytes, start, end) => plan.stampBytes(bytes, undefined, start, end),
    stampElement: (bytes, start, limit) => plan.stampElement(bytes, undefined, start, limit),
    written: [...plan.partitionKey.paths, '/id']
  }
}

function isPlan(source: unknown): source is Plan {
  return (
    typeof source === 'object' && source !== null && 'stampBytes' in source && typeof source.stampBytes === 'function'
  )
}

/**
 * Creates a key stamper from a function of the whole record. A plan gets the result of the function as the Kafka key of
 * the record. So lengths, existing keys, nested paths and bytes are handled as with other plans.
 */
function functionStamper(keyOf: KeyFunction<unknown>, options: KeyOptions): KeyStamper {
  const { into, existing = 'verify' } = options
  if (typeof into !== 'string') {
    throw new KeystampError(
      'OPTION_INVALID',
      'A key function needs `into`: the path of the property that gets the key, such as "/partitionKey".'
    )
  }
  const plan = createPlan({ into, from: [{ kafka: 'key' }], existing })
  return {
    stampRecord: (record) => {
      if (!isObject(record)) return plan.stamp(record as object)
      const key = callKeyFunction(keyOf, record)
      return typeof key === 'string' ? plan.stamp(record, { key }) : key
    },
    stampBytes,
    stampElement: (bytes, start, limit) => {
      // the end of the element does not depend on the key
      const element = plan.stampElement(bytes, NO_KEY, start, limit)
      return element?.end === undefined ? element : { result: stampBytes(bytes, start, element.end), end: element.end }
    },
    written: [into]
  }

  function stampBytes(bytes: Buffer, start: number, end: number): ReturnType<Plan['stampBytes']> | Refusal {
    const record = parseRecord(bytes, start, end)
    // the plan describes invalid bytes better than JSON.parse
    if (!isObject(record)) return plan.stampBytes(bytes, NO_KEY, start, end)
    const key = callKeyFunction(keyOf, record)
    return typeof key === 'string' ? plan.stampBytes(bytes, { key }, start, end) : key
  }
}

const NO_KEY = { key: '-' }

function callKeyFunction(keyOf: KeyFunction<unknown>, record: object): string | Refusal {
  let key: unknown
  try {
    key = keyOf(record)
  } catch (cause) {
    return { ...refuse('KEY_FUNCTION_FAILED'), cause }
  }
  return typeof key === 'string' && key !== '' ? key : refuse('KEY_NOT_TEXT')
}

function refuse(code: RecordCode): Refusal {
  return { ok: false, code, path: '', at: undefined, message: RECORD_CODES[code].sentence }
}

function parseRecord(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
