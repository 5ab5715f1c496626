import { headerText } from './header-text.ts'
import type { Request } from './transport.ts'

// names and values in turn: clients write such a list as it is, and would look at each member of an object several times
const FIXED: readonly string[] = Object.entries({
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  'content-type': 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'x-ms-cosmos-is-batch-request': 'true',
  prefer: 'return=minimal',
  'user-agent': 'keystamp'
}).flat()

const ATOMIC: readonly string[] = ['x-ms-cosmos-batch-atomic', 'true', 'x-ms-documentdb-partitionkey']
const BULK: readonly string[] = [
  'x-ms-cosmos-batch-atomic',
  'false',
  'x-ms-cosmos-batch-continue-on-error',
  'true',
  'x-ms-documentdb-partitionkeyrangeid'
]

/** What a request says beside its body; whoever sends it adds the host and how long the body is. */
export function bulkHeaders(signature: Readonly<Record<string, string>>, { rangeId, atomicKey }: Request): string[] {
  const headers = [...FIXED]
  for (const name in signature) headers.push(name, signature[name])
  if (atomicKey === undefined) headers.push(...BULK, rangeId)
  else headers.push(...ATOMIC, headerText(atomicKey))
  return headers
}
