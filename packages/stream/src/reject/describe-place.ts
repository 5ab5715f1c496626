import type { Place } from './rejected.ts'

/** A place as the beginning of a sentence: `Line 3, byte 120 of a.ndjson`. */
export function describePlace({ input, line, index, byte }: Place): string {
  const parts: string[] = []
  if (line !== undefined) parts.push(`line ${line}`)
  if (index !== undefined) parts.push(`record ${index}`)
  if (byte !== undefined) parts.push(`byte ${byte}`)
  const place = parts.join(', ')
  return place.charAt(0).toUpperCase() + place.slice(1) + (input === undefined ? '' : ` of ${input}`)
}
