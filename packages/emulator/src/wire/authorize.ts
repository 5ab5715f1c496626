import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../service-error.ts'
import type { Settings } from '../settings.ts'
import type { Account } from '../store/account.ts'
import { checkResourceToken } from './resource-token.ts'
import { type Address, headerOf, type WireRequest, withSearchInId } from './wire-request.ts'

/** Checks the authorization of a request; returns the request that was signed. */
export type Authorizer = (request: WireRequest) => WireRequest

/**
 * Creates an authorizer for the account key, for resource tokens and, if the settings allow them, for Entra-like
 * tokens. `now` is the clock of resource tokens.
 */
export function createAuthorizer(settings: Settings, account: Account, now: () => number): Authorizer {
  if (settings.auth === 'off') return (request) => request
  const secret = Buffer.from(settings.key, 'base64')
  const accepted: Map<string, number> = new Map()
  return (request) => {
    const { type, signature } = parseAuthorization(request)
    if (type === 'aad') {
      checkToken(settings, request, signature)
      return request
    }
    if (type === 'resource') {
      checkResourceToken(settings.key, account, request, signature, now())
      return request
    }
    if (type !== 'master') throw unauthorized(`An authorization of type '${type}' is not supported.`)
    return checkSignature(secret, accepted, request, signature, settings.now())
  }
}

const MAX_SKEW_MS = 15 * 60_000
const KEPT_SIGNATURES = 4096

function parseAuthorization(request: WireRequest): { type: string; signature: string } {
  const header = headerOf(request, 'authorization')
  if (header === undefined)
    throw unauthorized('Required Header authorization is missing. Ensure a valid Authorization token is passed.')
  let text = header
  try {
    if (/^type%3d/i.test(header)) text = decodeURIComponent(header)
  } catch {
    throw unauthorized('The authorization header is not a valid percent-encoding.')
  }
  const match = /^type=([a-z]+)&ver=1(?:\.0)?&sig=(.+)$/is.exec(text)
  if (match === null) throw unauthorized("The authorization header must have the form 'type=…&ver=1.0&sig=…'.")
  return { type: match[1].toLowerCase(), signature: match[2] }
}

function checkSignature(
  secret: Buffer,
  accepted: Map<string, number>,
  request: WireRequest,
  signature: string,
  nowMs: number
): WireRequest {
  const msDate = headerOf(request, 'x-ms-date')
  const date = msDate ?? headerOf(request, 'date')
  if (date === undefined) throw unauthorized('The header x-ms-date is missing.')
  const at = Date.parse(date)
  if (!(Math.abs(at - nowMs) <= MAX_SKEW_MS)) {
    throw unauthorized(
      'The authorization token is not valid at the current time: the date of the request is more than 15 minutes off.'
    )
  }
  const [head, ...otherHeads] = resourceTypesOf(request).map((type) => `${request.method.toLowerCase()}\n${type}\n`)
  const tail = `\n${(msDate ?? '').toLowerCase()}\n${msDate === undefined ? date.toLowerCase() : ''}\n`
  // clients reuse a signature until the second changes
  const seen = `${head}${request.address.resourceLink}${tail}${signature}`
  if (accepted.has(seen)) return request
  const isSigned = ({ address }: WireRequest): boolean => {
    const texts = [head, ...otherHeads].flatMap((start) => linksOf(address).map((link) => `${start}${link}${tail}`))
    return texts.some((text) => isSignature(secret, text, signature))
  }
  if (isSigned(request)) {
    if (accepted.size >= KEPT_SIGNATURES) accepted.clear()
    accepted.set(seen, at)
    return request
  }
  const whole = request.address.search === '' ? undefined : { ...request, address: withSearchInId(request.address) }
  if (whole !== undefined && isSigned(whole)) return whole
  throw unauthorized(
    "The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used."
  )
}

// clients sign an operation on a container in different ways
function resourceTypesOf(request: WireRequest): readonly string[] {
  const type = request.address.resourceType.toLowerCase()
  return type === 'partitionkey' ? [type, 'colls'] : [type]
}

// clients sign the link decoded or as sent; a resource id is signed alone, by most clients in lower case
function linksOf({ resourceLink, sentLink, isByRid, segments }: Address): string[] {
  if (!isByRid && segments[0] !== 'offers') return resourceLink === sentLink ? [resourceLink] : [resourceLink, sentLink]
  const last = resourceLink.slice(resourceLink.lastIndexOf('/') + 1)
  return [...new Set([resourceLink, sentLink, last.toLowerCase(), last])]
}

function isSignature(secret: Buffer, text: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function checkToken(settings: Settings, request: WireRequest, token: string): void {
  if (settings.acceptAad === 'no')
    throw unauthorized('Entra tokens are not accepted: start the emulator with acceptAad.')
  const expiry = expiryOf(token)
  if (expiry !== undefined && expiry * 1000 <= settings.now()) throw unauthorized('The token has expired.')
  if (settings.acceptAad === 'data' && isControlPlane(request)) {
    const message = `The given request [${request.method} /${request.address.pattern}] cannot be authorized by AAD token in data plane.`
    throw new ServiceError(403, message, { subStatus: 5300 })
  }
}

function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown }
    return typeof claims?.exp === 'number' ? claims.exp : undefined
  } catch {
    throw unauthorized('The token is not a JSON web token.')
  }
}

function isControlPlane(request: WireRequest): boolean {
  const { resourceType } = request.address
  if (resourceType === 'offers' || resourceType === 'users' || resourceType === 'permissions') return true
  return (resourceType === 'dbs' || resourceType === 'colls') && request.method !== 'GET'
}

function unauthorized(message: string): ServiceError {
  return new ServiceError(401, message)
}
