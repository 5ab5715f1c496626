import { createRequire } from 'node:module'

/** A header as kafkajs decodes it. */
interface Header {
  readonly key: string
  readonly value: Buffer | null
}

type Headers = Record<string, unknown>

/**
 * Collects the headers of a record in one pass. kafkajs copies all that it has collected for each further header: a record of 50 KB with 10,000
 * headers takes longer than a session, and the group drops the member that reads it, again and again. It also
 * mistakes names that every object has, such as `constructor`. Once for the process.
 */
export function collectHeadersInOnePass(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/protocol/decoder.js') as { readonly prototype: HeaderDecoder }
  const { readVarIntArray } = prototype
  // the record decoder of kafkajs is the only caller, and calls `reduce` of what it gets
  prototype.readVarIntArray = function readHeaders(reader) {
    const headers = readVarIntArray.call(this, reader)
    return headers.length === 0 ? headers : Object.assign(headers, { reduce: () => collect(headers) })
  }
}

/** A name that comes again gets the list of its values. */
function collect(headers: readonly Header[]): Headers {
  const all: Headers = {}
  for (const { key, value } of headers) {
    if (!Object.hasOwn(all, key)) {
      // an assignment would set the prototype
      if (key === '__proto__') Object.defineProperty(all, key, { value, writable: true, enumerable: true, configurable: true })
      else all[key] = value
      continue
    }
    const before = all[key]
    if (Array.isArray(before)) before.push(value)
    else Object.defineProperty(all, key, { value: [before, value] })
  }
  return all
}

interface HeaderDecoder {
  readVarIntArray: (this: HeaderDecoder, reader: unknown) => readonly Header[]
}
