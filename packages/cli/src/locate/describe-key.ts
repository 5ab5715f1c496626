import type { Key, KeyValue, Plan } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'
import type { createLocator } from './locate-key.ts'

/** A key taken apart: what it was made of, its suffix, its hash and range. */
export function describeKey(plan: Plan, key: Key, locate: ReturnType<typeof createLocator>, asJson: boolean): string {
  const decoded = plan.decode(key)
  if (!decoded.ok) throw new UsageError(decoded.message)
  const location = locate({ key, values: (Array.isArray(key) ? key : [key]) as readonly KeyValue[] })
  const levels = decoded.levels.map(({ parts, slot, label, isCut }) => ({
    parts: parts.map(({ of, value }) => ({ of, value })),
    ...(slot === undefined ? {} : { suffix: label, slot }),
    ...(isCut ? { isCut } : {})
  }))
  if (asJson) return `${JSON.stringify({ ...location, version: decoded.version, levels })}\n`
  // such a level holds the value of the field as it is, with its type
  const isOwn = (of: string): boolean => plan.partitionKey.paths.includes(of)
  const lines = levels.flatMap(({ parts, slot, suffix, isCut }) => [
    ...parts.map(({ of, value }) => `${of}  ${isOwn(of) ? typedText(value) : String(value)}`),
    ...(isCut === true ? ['the key was cut: it holds a hash of its parts'] : []),
    ...(slot === undefined ? [] : [`suffix  ${suffix}${slot === suffix ? '' : ` (slot ${slot})`}`])
  ])
  const range = location.range === undefined ? [] : [`range  ${location.range}`]
  return [...lines, `hash  ${location.epk}`, ...range].map((line) => `${line}\n`).join('')
}

function typedText(value: KeyValue): string {
  return value === null ? 'null' : `${JSON.stringify(value)} (${typeof value})`
}
