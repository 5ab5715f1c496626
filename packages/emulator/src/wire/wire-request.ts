import type { IncomingHttpHeaders } from 'node:http'
import type { Address } from './address.ts'

/** A request, read whole. */
export interface WireRequest {
  readonly method: string
  readonly address: Address
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly activityId: string
  /** The scheme and host under which the client reached the server. */
  readonly origin: string
}

/** A header's value; node joins what is sent twice. */
export function headerOf(request: WireRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** Whether a header says true, in any case: SDKs write `true` and `True`. */
export function isSet(request: WireRequest, name: string): boolean {
  const value = headerOf(request, name)
  return value !== undefined && value.toLowerCase() === 'true'
}
