/** Reasons why Cosmos DB refused a record, or why it was not sent: sentence, cause and remedy. */
export const WRITE_CODES = {
  OPERATION_INVALID: {
    sentence: 'The operation is not complete.',
    cause: 'A record, an id, a key, or the steps of a patch are missing or of the wrong kind.',
    remedy: 'Give what the kind of operation needs; the message names it.'
  },
  DOCUMENT_TOO_LARGE: {
    sentence: 'The document is larger than Cosmos DB stores.',
    cause: 'A document, and an atomic batch as a whole, may have 2 MB.',
    remedy: 'Split the record, or keep the large part elsewhere.'
  },
  ALREADY_EXISTS: {
    sentence: 'A document with this key and id exists already.',
    cause: 'The operation creates, and the document is there.',
    remedy: 'Use upsert, or ignore 409.'
  },
  UNIQUE_KEY_TAKEN: {
    sentence: 'Another document of the logical partition has the same unique key.',
    cause: 'The container has unique keys, and the values are taken.',
    remedy: 'Change the record, or remove the other document.'
  },
  NOT_FOUND: {
    sentence: 'There is no document with this key and id.',
    cause: 'The operation changes or deletes what does not exist.',
    remedy: 'Use upsert, or ignore 404.'
  },
  PRECONDITION_FAILED: {
    sentence: 'The document is not the one that the precondition names.',
    cause: 'Somebody changed it since its ETag was read, or the condition of the patch is not met.',
    remedy: 'Read it again and decide, or ignore 412.'
  },
  ETAG_MISSING: {
    sentence: 'The record has no ETag, so it cannot be known whether its document was modified. Nothing was sent.',
    cause: '`deleteIfNotModified` compares the `_etag` of the record, and the record has none that is a string; or `ifMatch` is empty.',
    remedy: 'Keep `_etag` in the records, as they were read from Cosmos DB; or use `delete`, which deletes without a check.'
  },
  PARTITION_FULL: {
    sentence: 'The logical partition is full.',
    cause: 'All documents of one key may take 20 GB together.',
    remedy: 'Choose a key with more values, or give it a suffix.'
  },
  BATCH_FAILED: {
    sentence: 'Another operation of the same atomic batch failed, so none was applied.',
    cause: 'An atomic batch is applied as a whole or not at all.',
    remedy: 'See the operation of the batch that has a reason of its own.'
  },
  OUTCOME_UNKNOWN: {
    sentence: 'The answer was lost, and this operation cannot be repeated safely.',
    cause: 'It may have been applied; applied twice it would change the document again.',
    remedy: 'Read the document and decide; give such operations an ETag, which makes them safe.'
  },
  COSMOS_REJECTED: {
    sentence: 'Cosmos DB refuses the document.',
    cause: 'The document or the operation breaks one of its rules.',
    remedy: 'See status and sub-status of the outcome.'
  }
} as const

/** Reason why a write was rejected. */
export type WriteCode = keyof typeof WRITE_CODES
