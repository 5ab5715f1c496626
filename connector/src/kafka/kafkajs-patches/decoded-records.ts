import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js'
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

/** A message of a batch in a transaction, as kafkajs decodes it. */
export interface KeyedMessage {
  key: Buffer | null
}

/**
 * Hides the keys that kafkajs takes for abort markers. It leaves out the records of an aborted transaction up to the first one whose key is four
 * zero bytes, since such is the key of a marker. So is the key 0 of a producer with 32-bit keys: what it had aborted after that was delivered.
 * The keys are put back when the fetch is complete.
 */
export function hideMarkerKeys(messages: readonly KeyedMessage[]): readonly KeyedMessage[] {
  const found = messages.filter(({ key }) => key !== null && key.length === 4 && key.readInt32BE(0) === 0)
  for (const message of found) message.key = HIDDEN
  return found
}

/** Puts the keys back after every fetch of this process, in the partitions that have some. Once for the process. */
export function restoreMarkerKeys(): void {
  const { prototype } = ConsumerGroup
  const { fetch } = prototype
  prototype.fetch = async function restoringFetch(nodeId) {
    const batches = await fetch.call(this, nodeId)
    for (const { rawMessages } of batches as readonly FetchedBatch[]) {
      for (const message of rawMessages[HIDDEN_KEYS] ?? []) message.key = Buffer.alloc(4)
    }
    return batches
  }
}

/** On the messages of a partition: those whose keys are hidden. */
export const HIDDEN_KEYS: unique symbol = Symbol('hidden keys')

interface FetchedBatch {
  readonly rawMessages: { readonly [HIDDEN_KEYS]?: readonly KeyedMessage[] }
}

const HIDDEN = Buffer.alloc(0)
