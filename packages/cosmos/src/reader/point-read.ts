import type { PartitionKey } from '@keystamp/core'
import { headerText } from '../transport/header-text.ts'
import type { Ask } from './ask-patiently.ts'
import type { StoredDocument } from './range-pages.ts'

/** The document with this id under the first of the keys that has it: one request for most, since the newest key comes first. */
export async function readPoint(
  ask: Ask,
  keys: readonly PartitionKey[],
  id: string,
  signal: AbortSignal | undefined
): Promise<readonly StoredDocument[]> {
  for (const { values } of keys) {
    const headers = { 'x-ms-documentdb-partitionkey': headerText(JSON.stringify(values)) }
    // oxlint-disable-next-line no-await-in-loop -- an older key is asked only when a newer one has nothing
    const { status, body } = await ask('reading a document', { verb: 'GET', id, headers }, signal)
    if (status === 200) return [body as StoredDocument]
  }
  return []
}
