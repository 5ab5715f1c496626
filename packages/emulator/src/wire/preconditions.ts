import { ServiceError } from './service-error.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** Refuses a request about a resource whose ETag is not the one that it names: 412, as for items. */
export function refuseUnlessMatched(request: WireRequest, etag: string): void {
  const wanted = headerOf(request, 'if-match')
  if (wanted === undefined || wanted === '*' || wanted === etag) return
  throw new ServiceError(412, 'Operation cannot be performed because one of the specified precondition is not met.')
}

/** Whether a reader already has the resource with this ETag, so that the answer is 304. */
export function isKnown(request: WireRequest, etag: string): boolean {
  return headerOf(request, 'if-none-match') === etag
}
