import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../service-error.ts'

/** A request with its whole body. */
export interface WireRequest {
  readonly method: string
  readonly address: Address
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly activityId: string
  /** The scheme and host under which the client reached the server. */
  readonly origin: string
}

/** A header's value; values of a repeated header are joined. */
export function headerOf(request: WireRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** Whether a header has the value true, in upper or lower case: SDKs write `true` and `True`. */
export function isSet(request: WireRequest, name: string): boolean {
  const value = headerOf(request, name)
  return value !== undefined && value.toLowerCase() === 'true'
}

/** The resource that the path of a request names. */
export interface Address {
  /** The path with a star in place of each id, such as `dbs/*`. */
  readonly pattern: string
  /** The ids in the path, decoded. */
  readonly ids: readonly string[]
  /** All segments, decoded. */
  readonly segments: readonly string[]
  /** The query string with its question mark, or nothing; only the control path reads it. */
  readonly search: string
  /** Signed parts of the path: the last resource type, and the link of the resource or of the parent of a feed. */
  readonly resourceType: string
  readonly resourceLink: string
  /** Whether the path begins with the resource id of a database, and so consists of resource ids. */
  readonly isByRid: boolean
  /** The link as sent, for clients that sign it without decoding. */
  readonly sentLink: string
}

/** Parses the path of a URL. The query string is not part of the path. */
export function parseAddress(url: string): Address {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const sent = path.split('/').filter((segment) => segment.length > 0)
  const segments = sent.map(decode)
  const isFeed = segments.length % 2 === 1
  // an operation on a container is signed as one on its partition keys
  const isOperation = segments[4] === 'operations'
  const linkLength = isOperation ? 4 : isFeed ? segments.length - 1 : segments.length
  return {
    pattern: segments.map((segment, index) => (index % 2 === 0 ? segment : '*')).join('/'),
    segments,
    search: end < 0 ? '' : url.slice(end),
    ids: segments.filter((_, index) => index % 2 === 1),
    resourceType: isOperation ? 'partitionkey' : (segments[isFeed ? segments.length - 1 : segments.length - 2] ?? ''),
    isByRid: segments.length > 1 && segments[1].length === 8 && DATABASE_RID.test(segments[1]),
    resourceLink: segments.slice(0, linkLength).join('/'),
    sentLink: sent.slice(0, linkLength).join('/')
  }
}

/** The address with the query string as a part of the last id: some clients do not escape a question mark in an id. */
export function withSearchInId(address: Address): Address {
  const { segments, search } = address
  const last = `${segments.at(-1)}${decode(search)}`
  const whole = [...segments.slice(0, -1), last]
  return {
    ...address,
    segments: whole,
    search: '',
    ids: [...address.ids.slice(0, -1), last],
    resourceLink: whole.join('/'),
    sentLink: `${address.sentLink}${search}`
  }
}

const DATABASE_RID = /^[\w+-]{6}==$/

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ServiceError(400, `The path segment '${segment}' is not a valid percent-encoding.`)
  }
}
