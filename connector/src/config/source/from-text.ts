import { parseSource } from './parse-source.ts'
import type { SchemaNode } from '../published/file-schema.ts'

/** A text from outside of the file, as a value of the kind that is asked for: a number, a truth, a list by commas, or keys as in YAML. */
export function fromText(text: string, nodes: readonly SchemaNode[]): unknown {
  const asks = (...types: readonly string[]): boolean => nodes.some(({ type }) => type !== undefined && types.includes(type))
  const trimmed = text.trim()
  if (/^[{[]/.test(trimmed) && asks('object', 'array')) return fromYaml(trimmed) ?? text
  if (asks('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  if (asks('integer', 'number') && /^-?\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed)
  if (asks('array') && !asks('string')) return trimmed.split(',').map((part) => part.trim())
  return text
}

function fromYaml(text: string): unknown {
  const source = parseSource(text)
  return 'value' in source ? source.value : undefined
}
