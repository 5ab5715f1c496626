import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js'
import { createRequire } from 'node:module'

/** A header as kafkajs decodes it. */
interface Header {
  readonly key: string
  readonly value: Buffer | null
}

type Headers = Record<string, unknown>

/**
 * Collects the headers of a record in one pass. For each header, kafkajs copies all headers before it: decoding a
 * record of 50 KB with 10,000 headers takes longer than a session, and the group drops each member that tries. kafkajs
 * also fails for header names that every object inherits, such as `constructor`. Call once per process.
 */
export function collectHeadersInOnePass(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/protocol/decoder.js') as {
    readonly prototype: HeaderDecoder
  }
  const { readVarIntArray } = prototype
  // the record decoder of kafkajs is the only caller, and calls `reduce` on the result
  prototype.readVarIntArray = function readHeaders(reader) {
    const headers = readVarIntArray.call(this, reader)
    return headers.length === 0 ? headers : Object.assign(headers, { reduce: () => collect(headers) })
  }
}

/** A name that occurs more than once gets the list of its values. */
function collect(headers: readonly Header[]): Headers {
  const all: Headers = {}
  for (const { key, value } of headers) {
    if (!Object.hasOwn(all, key)) {
      // an assignment would set the prototype
      if (key === '__proto__')
        Object.defineProperty(all, key, { value, writable: true, enumerable: true, configurable: true })
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
export interface TransactionMessage {
  key: Buffer | null
}

/**
 * Hides the keys that kafkajs takes for abort markers. kafkajs ends an aborted transaction at the first record whose
 * key is four zero bytes, the key of an abort marker. The 32-bit key 0 of an ordinary record looks the same, so kafkajs
 * would deliver the aborted records after it. `restoreMarkerKeys` puts the keys back when the fetch is complete.
 */
export function hideMarkerKeys(messages: readonly TransactionMessage[]): readonly TransactionMessage[] {
  const found = messages.filter(({ key }) => key !== null && key.length === 4 && key.readInt32BE(0) === 0)
  for (const message of found) message.key = HIDDEN
  return found
}

/** Patches `fetch`: puts the hidden keys back after every fetch. Call once per process. */
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

/** Property of the messages of a partition: the messages whose keys are hidden. */
export const HIDDEN_KEYS: unique symbol = Symbol('hidden keys')

interface FetchedBatch {
  readonly rawMessages: { readonly [HIDDEN_KEYS]?: readonly TransactionMessage[] }
}

const HIDDEN = Buffer.alloc(0)
