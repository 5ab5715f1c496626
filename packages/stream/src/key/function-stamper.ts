import { createPlan, KeystampError, type Plan, RECORD_CODES, type RecordCode } from '@keystamp/core'
import type { KeyFunction, KeyOptions, KeyStamper, Refusal } from './key-stamper.ts'

/**
 * A key stamper over a function of the whole record. The function's answer goes through a plan as what surrounds the record,
 * so that lengths, present keys, nested paths and bytes are treated as everywhere else.
 */
export function functionStamper(keyOf: KeyFunction<unknown>, options: KeyOptions): KeyStamper {
  const { into, existing = 'verify' } = options
  if (typeof into !== 'string') {
    throw new KeystampError('OPTION_INVALID', 'A key function needs `into`: where the key is written, such as "/partitionKey".')
  }
  const plan = createPlan({ into, from: [{ kafka: 'key' }], existing })
  return {
    stampRecord: (record) => {
      if (!isObject(record)) return plan.stamp(record as object)
      const key = askKey(keyOf, record)
      return typeof key === 'string' ? plan.stamp(record, { key }) : key
    },
    stampBytes,
    stampElement: (bytes, start, limit) => {
      // which key it gets does not matter for where the element ends
      const element = plan.stampElement(bytes, NO_KEY, start, limit)
      return element?.end === undefined ? element : { result: stampBytes(bytes, start, element.end), end: element.end }
    },
    written: [into]
  }

  function stampBytes(bytes: Buffer, start: number, end: number): ReturnType<Plan['stampBytes']> | Refusal {
    const record = parseRecord(bytes, start, end)
    // the plan says better than JSON.parse what is wrong with the bytes
    if (!isObject(record)) return plan.stampBytes(bytes, NO_KEY, start, end)
    const key = askKey(keyOf, record)
    return typeof key === 'string' ? plan.stampBytes(bytes, { key }, start, end) : key
  }
}

const NO_KEY = { key: '-' }

function askKey(keyOf: KeyFunction<unknown>, record: object): string | Refusal {
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
