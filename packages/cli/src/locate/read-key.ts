import type { Key, KeyValue, Plan } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'

/** The key that `--key` means: as text where the plan can have made that, else as the number or truth value that it reads as. */
export function readKey(plan: Plan, text: string): Key {
  const { length } = plan.partitionKey.paths
  if (text.startsWith('[')) return toKey(parseLevels(text, length), length)
  const asText = toKey([text], length)
  const scalar = parseScalar(text)
  if (scalar === undefined || plan.decode(asText).ok) return asText
  const asScalar = toKey([scalar], length)
  return plan.decode(asScalar).ok ? asScalar : asText
}

function toKey(values: readonly KeyValue[], levels: number): Key {
  return levels === 1 ? values[0] : values
}

function parseLevels(text: string, most: number): readonly KeyValue[] {
  const values = parse(text)
  if (values === undefined) {
    throw new UsageError(
      '--key is not valid JSON. What begins with [ is read as an array of levels; a text that begins so is written ["[..."].'
    )
  }
  if (!Array.isArray(values) || values.length === 0 || values.length > most || !values.every(isKeyValue)) {
    const levels = most === 1 ? 'one level' : `one to ${most} levels`
    throw new UsageError(`--key takes an array of ${levels}: texts, numbers, true, false or null.`)
  }
  return values
}

function parseScalar(text: string): number | boolean | undefined {
  const value = parse(text)
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value !== 'object'
}
