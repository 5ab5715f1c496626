import type { Source } from './ast.ts'
import { isRecord, readMember } from './json-value.ts'

/** The rows of FROM: the documents, what stands at a path in each, or each element there. Without FROM there is one row. */
export function readRows(from: Source | undefined, documents: Iterable<unknown>): Iterable<unknown> {
  if (from === undefined) return [undefined]
  return from.path.length === 0 && !from.each ? documents : readPath(from, documents)
}

function* readPath({ path, each }: Source, documents: Iterable<unknown>): Iterable<unknown> {
  for (const document of documents) {
    const value = path.reduce<unknown>(step, document)
    if (!each && value !== undefined) yield value
    else if (each && Array.isArray(value)) yield* value
  }
}

function step(whole: unknown, name: string | number): unknown {
  if (Array.isArray(whole)) return typeof name === 'number' ? whole[name] : undefined
  return isRecord(whole) && typeof name === 'string' ? readMember(whole, name) : undefined
}
