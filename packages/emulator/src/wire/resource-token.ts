import { createHmac, timingSafeEqual } from 'node:crypto'
import { parsePartitionKey } from '../partition/partition-key.ts'
import { ServiceError } from '../service-error.ts'
import type { Account } from '../store/account.ts'
import { childRid } from '../store/resource-id.ts'
import type { Permission, PermissionDefinition } from '../store/user.ts'
import { isQuery } from './database-handlers.ts'
import { keyOf } from './operation-request.ts'
import { isSet, type WireRequest } from './wire-request.ts'

// Clients must treat a token as opaque. Here it consists of a signature, and of the permission with its expiry.

/** The content of a token. */
interface Grant extends Pick<PermissionDefinition, 'permissionMode' | 'resource' | 'resourcePartitionKey'> {
  readonly expiresMs: number
}

const SIGNATURE_BYTES = 16

/** A token for a permission: `type=resource&ver=1&sig=<signature>;<grant>;`. */
export function createToken(accountKey: string, permission: Permission, expiresMs: number): string {
  const { permissionMode, resource, resourcePartitionKey } = permission.definition
  const grant = { permissionMode, resource, resourcePartitionKey, expiresMs }
  const text = Buffer.from(JSON.stringify(grant)).toString('base64')
  return `type=resource&ver=1&sig=${sign(accountKey, text).toString('base64')};${text};`
}

/** Refuses a request whose token is invalid (401), has expired, or does not permit the request (403). */
export function checkResourceToken(
  accountKey: string,
  account: Account,
  request: WireRequest,
  signature: string,
  nowMs: number
): void {
  const grant = readGrant(accountKey, signature)
  if (grant === undefined)
    throw new ServiceError(401, 'The resource token in the authorization header was not created by this account.')
  if (nowMs >= grant.expiresMs)
    throw new ServiceError(403, 'The resource token in the authorization header has expired.')
  if (linksIn(grant.resource).some((granted) => isPermitted(account, request, grant, granted))) return
  throw new ServiceError(
    403,
    'Insufficient permissions provided in the authorization header for the corresponding request. Please retry with another authorization header.'
  )
}

function sign(accountKey: string, text: string): Buffer {
  return createHmac('sha256', Buffer.from(accountKey, 'base64')).update(text).digest().subarray(0, SIGNATURE_BYTES)
}

function readGrant(accountKey: string, signature: string): Grant | undefined {
  const [given, text = ''] = signature.split(';')
  const expected = sign(accountKey, text)
  const bytes = Buffer.from(given, 'base64')
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return undefined
  return JSON.parse(Buffer.from(text, 'base64').toString()) as Grant
}

/** The segments of a link as it is, and decoded: some clients encode the names in a link, and some do not. */
function linksIn(resource: string): readonly (readonly string[])[] {
  const segments = resource.split('/').filter((segment) => segment !== '')
  if (!resource.includes('%')) return [segments]
  try {
    return [segments, segments.map(decodeURIComponent)]
  } catch {
    return [segments]
  }
}

function isPermitted(account: Account, request: WireRequest, grant: Grant, granted: readonly string[]): boolean {
  const { segments } = request.address
  // clients read the account before any other request
  if (segments.length === 0) return request.method === 'GET'
  if (!isSameContainer(account, segments, granted)) return false
  if (isMetadataRead(request)) return true
  if (grant.permissionMode === 'Read' && !isRead(request)) return false
  if (segments.length < 5) return grant.resourcePartitionKey === undefined && granted.length === 4
  if (granted.length > 4 && !isSameChild(account, request, granted)) return false
  return grant.resourcePartitionKey === undefined || isWithinKey(account, request, grant.resourcePartitionKey)
}

// both links may consist of names or of resource ids
function isSameContainer(account: Account, segments: readonly string[], granted: readonly string[]): boolean {
  if (segments[0] !== 'dbs' || segments[2] !== 'colls' || segments.length < 4) return false
  const wanted = account.findContainer(segments[1], segments[3])
  if (wanted !== undefined) return wanted === account.findContainer(granted[1], granted[3])
  return segments[1] === granted[1] && segments[3] === granted[3]
}

/** Clients read the definition and the ranges of a container before any request for its items. */
function isMetadataRead({ method, address }: WireRequest): boolean {
  return method === 'GET' && (address.pattern === 'dbs/*/colls/*' || address.pattern === 'dbs/*/colls/*/pkranges')
}

function isRead(request: WireRequest): boolean {
  if (request.method === 'GET') return true
  return isPost(request, QUERIED) && (isQuery(request) || isSet(request, 'x-ms-cosmos-is-query-plan-request'))
}

// the headers of queries and plans mean nothing in other requests, which ignore them
const ITEMS: readonly string[] = ['dbs/*/colls/*/docs']
const QUERIED: readonly string[] = [...ITEMS, 'dbs/*/colls/*/conflicts']

function isPost({ method, address }: WireRequest, patterns: readonly string[]): boolean {
  return method === 'POST' && patterns.includes(address.pattern)
}

function isSameChild(account: Account, request: WireRequest, granted: readonly string[]): boolean {
  const { segments } = request.address
  if (segments.length < 6 || segments[4] !== granted[4]) return false
  if (segments[5] === granted[5]) return true
  const ids = [segments[5], granted[5]].map((id) => ridOfItem(account, request, id))
  return ids[0] !== undefined && ids[0] === ids[1]
}

/** The resource id of an item that is named by its id or by its resource id. */
function ridOfItem(account: Account, request: WireRequest, idOrRid: string): string | undefined {
  const { segments } = request.address
  const container = account.findContainer(segments[1], segments[3])
  const key = keyOf(request)
  if (container === undefined || key === undefined) return undefined
  const item = container.partition(key).get(idOrRid)
  return item === undefined ? idOrRid : childRid(container.rid, item.ordinal, 'item')
}

function isWithinKey(account: Account, request: WireRequest, granted: readonly unknown[]): boolean {
  // a query plan holds no data, and clients request it without a key
  if (isPost(request, ITEMS) && isSet(request, 'x-ms-cosmos-is-query-plan-request')) return true
  // the operations of a bulk request have keys of their own
  if (isSet(request, 'x-ms-cosmos-is-batch-request') && !isSet(request, 'x-ms-cosmos-batch-atomic')) return false
  const wanted = keyOf(request)
  if (wanted === undefined) return false
  const limit = parsePartitionKey(JSON.stringify(granted))
  const { segments } = request.address
  const container = account.findContainer(segments[1], segments[3])
  // the service refuses feeds and queries of a prefix of a hierarchical key, even of the permitted prefix
  if (segments.length === 5 && wanted.values.length < (container?.keyPaths.length ?? 0)) return false
  return wanted.text === limit.text || wanted.text.startsWith(`${limit.text},`)
}
