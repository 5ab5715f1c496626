import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Document } from 'yaml'
import type { Place } from '../config-error.ts'
import type { ConfigPath } from '../config-path.ts'
import { SYNTAX_MISTAKES } from './syntax-mistakes.ts'

/** A configuration as it stands in its file: the values, and where each of them stands. */
export interface Source {
  readonly value: unknown
  /** Where a key stands; of what is not there, where its parent stands. */
  readonly placeOf: (path: ConfigPath, of: 'key' | 'value') => Place
}

/** Why a file cannot be read as YAML. */
export interface SyntaxMistake {
  readonly place: Place
  readonly message: string
}

/** Reads YAML, which JSON is a part of. */
export function parseSource(text: string): Source | readonly SyntaxMistake[] {
  const counter = new LineCounter()
  const document = parseDocument(text.replace(/^\ufeff/, ''), { lineCounter: counter, prettyErrors: false, merge: true })
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    // what the parser says may quote the file, and with it a secret
    return document.errors.map(({ code, pos }) => ({ place: placeAt(pos[0]), message: SYNTAX_MISTAKES[code] }))
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { value: unshared(value ?? {}), placeOf: (path, of) => placeAt(offsetOf(document, path, of)) }
  } catch {
    return [{ place: { line: 1, column: 1 }, message: SYNTAX_MISTAKES.BAD_ALIAS }]
  }
}

function offsetOf(document: Document, path: ConfigPath, of: 'key' | 'value'): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, part] of path.entries()) {
    const parent: unknown = isAlias(node) ? node.resolve(document) : node
    const isLast = depth === path.length - 1
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) return offset
      node = pair.value
      const key = startOf(pair.key) ?? offset
      offset = isLast && of === 'value' ? (startOf(node) ?? key) : key
    } else if (isSeq(parent)) {
      node = parent.items[Number(part)]
      offset = startOf(node) ?? offset
    } else {
      return offset
    }
  }
  return offset
}

// what an alias repeats would change in all its places at once
function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unshared(each)]))
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
