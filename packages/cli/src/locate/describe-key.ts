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
  const lines = levels.flatMap(({ parts, slot, suffix, isCut }) => [
    ...parts.map(({ of, value }) => `${of}  ${String(value)}`),
    ...(isCut === true ? ['the key was cut: it holds a hash of its parts'] : []),
    ...(slot === undefined ? [] : [`suffix  ${suffix}${slot === suffix ? '' : ` (slot ${slot})`}`])
  ])
  const range = location.range === undefined ? [] : [`range  ${location.range}`]
  return [...lines, `hash  ${location.epk}`, ...range].map((line) => `${line}\n`).join('')
}
