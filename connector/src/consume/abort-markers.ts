import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js'

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
