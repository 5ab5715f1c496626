import type { PartitionKey } from '../partition/partition-key.ts'
import { ServiceError } from '../service-error.ts'
import type { ConsistencyLevel } from '../settings.ts'
import type { Container } from '../store/container.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

const STRENGTH: readonly ConsistencyLevel[] = ['Eventual', 'ConsistentPrefix', 'Session', 'BoundedStaleness', 'Strong']

/** Refuses a request for a stronger consistency than that of the account. */
export function checkConsistency(service: Service, request: WireRequest): void {
  const asked = headerOf(request, 'x-ms-consistency-level')
  if (asked === undefined || asked === '') return
  const strength = STRENGTH.findIndex((level) => level.toLowerCase() === asked.toLowerCase())
  const { consistency } = service.settings
  if (strength >= 0 && strength <= STRENGTH.indexOf(consistency)) return
  throw new ServiceError(
    400,
    `ConsistencyLevel ${asked} specified in the request is invalid when service is configured with consistency level ${consistency}.`
  )
}

/** Factor for the charge of a read: strong and bounded-staleness reads charge two replicas. */
export function readFactor(service: Service, request: WireRequest): 1 | 2 {
  const level = (headerOf(request, 'x-ms-consistency-level') ?? service.settings.consistency).toLowerCase()
  return level === 'strong' || level === 'boundedstaleness' ? 2 : 1
}

/** Refuses a read whose session token is ahead of the range that would serve it. */
export function checkSession(request: WireRequest, container: Container, key: PartitionKey | undefined): void {
  const header = headerOf(request, 'x-ms-session-token')
  if (header === undefined || header === '') return
  const owner = key === undefined ? undefined : container.partition(key).range
  for (const part of header.split(',')) {
    const token = parseToken(part)
    const range =
      owner !== undefined && token.rangeId !== '' && token.rangeId !== owner.id
        ? undefined
        : container.ranges.byId(token.rangeId)
    if (range !== undefined && isAhead(token, range)) {
      throw new ServiceError(404, 'The read session is not available for the input session token.', { subStatus: 1002 })
    }
  }
}

interface SessionToken {
  readonly rangeId: string
  readonly version: number
  readonly lsn: number
}

function parseToken(text: string): SessionToken {
  const match = /^\s*([^:]*):(?:(-?\d+)#)?(\d+)(?:#.*)?\s*$/.exec(text)
  if (match === null) throw new ServiceError(400, 'The session token is not valid.')
  return { rangeId: match[1], version: Number(match[2] ?? -1), lsn: Number(match[3]) }
}

function isAhead(token: SessionToken, range: PhysicalRange): boolean {
  if (token.version !== range.sessionVersion) return token.version > range.sessionVersion
  return token.lsn > range.lsn
}
