import { headerText } from '../client/http-client.ts'
import { isAddressable } from '../client/address.ts'
import { keyText } from '../client/container.ts'
import type { ItemRequest } from '../reader/retrying-requests.ts'
import type { DocumentIdentity, DocumentReader } from './document-reader.ts'

/**
 * Creates the request for one item: a point read, or a query if no URL can name the item. The body of the answer is the
 * item; null if the query finds none.
 */
export function itemRequest(
  { key, id }: DocumentIdentity,
  documents: Pick<DocumentReader, 'document' | 'page'>
): Pick<ItemRequest, 'verb' | 'id' | 'headers' | 'body' | 'read'> {
  const headers = { 'x-ms-documentdb-partitionkey': headerText(keyText(key)) }
  if (isAddressable(id)) return { verb: 'GET', id, headers, read: documents.document }
  return {
    verb: 'POST',
    headers: { ...headers, 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'true' },
    body: JSON.stringify({ query: 'SELECT * FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: id }] }),
    read: (bytes) => {
      const page = documents.page(bytes)
      return page === undefined ? undefined : (page[0] ?? null)
    }
  }
}
