import type { ConsistencyLevel } from '../settings.ts'
import { ServiceError } from './service-error.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

const STRENGTH: readonly ConsistencyLevel[] = ['Eventual', 'ConsistentPrefix', 'Session', 'BoundedStaleness', 'Strong']

/** Refuses a request that asks for more consistency than the account has. */
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

/** How often a read is charged: strong and bounded-staleness reads ask two replicas. */
export function readFactor(service: Service, request: WireRequest): 1 | 2 {
  const level = (headerOf(request, 'x-ms-consistency-level') ?? service.settings.consistency).toLowerCase()
  return level === 'strong' || level === 'boundedstaleness' ? 2 : 1
}
