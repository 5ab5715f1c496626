import type { Outcome } from '../engine/item-operation.ts'
import type { Container } from '../store/container.ts'
import { documentText } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** The headers of an answer about items of one range. */
export function itemHeaders(container: Container, range: PhysicalRange): string[] {
  return [
    'x-ms-session-token',
    range.sessionToken,
    'x-ms-documentdb-partitionkeyrangeid',
    range.id,
    'lsn',
    String(range.lsn),
    'x-ms-alt-content-path',
    contentPath(container),
    'x-ms-content-path',
    container.rid
  ]
}

const paths: WeakMap<Container, string> = new WeakMap()

function contentPath(container: Container): string {
  let path = paths.get(container)
  if (path === undefined) {
    path = `dbs/${encodeURI(container.database)}/colls/${encodeURI(container.id)}`
    paths.set(container, path)
  }
  return path
}

/** An element of the answer to a bulk or batch request, as JSON. */
export function operationResult(container: Container, type: unknown, outcome: Outcome, minimal: boolean): string {
  let text = `{"statusCode":${outcome.status},"requestCharge":${outcome.chargeRu}`
  const { item } = outcome
  if (outcome.status >= 400) return text + failure(outcome) + '}'
  if (item !== undefined) {
    text += `,"eTag":"\\"${container.itemEtagText(item.version, item.timestamp)}\\""`
    const isSilent = outcome.status === 304 || (minimal && type !== 'Read')
    if (!isSilent) text += `,"resourceBody":${documentText(container, item)}`
  }
  return text + '}'
}

function failure(outcome: Outcome): string {
  const wait = outcome.retryAfterMs === undefined ? '' : `,"retryAfterMilliseconds":${outcome.retryAfterMs}`
  return `,"subStatusCode":${outcome.subStatus}${wait},"message":${JSON.stringify(outcome.message ?? '')}`
}

/** Whether the client requests that the answer to a write does not contain the document. */
export function isMinimal(request: WireRequest): boolean {
  if (headerOf(request, 'prefer')?.toLowerCase().replaceAll(' ', '') === 'return=minimal') return true
  return headerOf(request, 'x-ms-cosmos-populate-content-response-on-write')?.toLowerCase() === 'false'
}
