import type { RequestTraits } from '../charge/meter.ts'
import type { OperationRequest } from '../engine/execute.ts'
import { parsePartitionKey, type PartitionKey } from '../partition/partition-key.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { readFactor } from './consistency.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** The properties of a data request that do not depend on its operation. */
export function operationRequestOf(service: Service, request: WireRequest, container: Container): OperationRequest {
  refuseRecreated(request, container)
  refuseTriggers(request)
  return {
    traits: traitsOf(request),
    activityId: request.activityId,
    range: rangeOf(request, container),
    readFactor: readFactor(service, request)
  }
}

/** Refuses a request for an earlier container of the same name with 400/1024. */
export function refuseRecreated(request: WireRequest, container: Container): void {
  const intended = headerOf(request, 'x-ms-cosmos-intended-collection-rid')
  if (intended === undefined || intended === container.rid) return
  throw new ServiceError(400, 'The request is for an earlier container of the same name, which was deleted.', {
    subStatus: 1024
  })
}

function refuseTriggers(request: WireRequest): void {
  for (const name of TRIGGER_HEADERS) {
    if (headerOf(request, name) !== undefined)
      throw new ServiceError(
        501,
        `Triggers are not supported by this emulator, because it runs no server-side JavaScript: remove the header '${name}'.`
      )
  }
}

const TRIGGER_HEADERS: readonly string[] = [
  'x-ms-documentdb-pre-trigger-include',
  'x-ms-documentdb-post-trigger-include'
]

/** The partition key in the header; undefined without one. */
export function keyOf(request: WireRequest): PartitionKey | undefined {
  const header = headerOf(request, 'x-ms-documentdb-partitionkey')
  if (header === undefined) return undefined
  // node reads headers as Latin-1, some clients send UTF-8
  return parsePartitionKey(hasHighBytes(header) ? Buffer.from(header, 'latin1').toString() : header)
}

/** The range that the header names; throws 410/1002 when it does not exist, 410/1007 while it is split or merged. */
export function rangeOf(request: WireRequest, container: Container): PhysicalRange | undefined {
  const id = headerOf(request, 'x-ms-documentdb-partitionkeyrangeid')
  if (id === undefined) return undefined
  // some clients send the container's resource id before the id of the range
  const range = container.ranges.byId(id.includes(',') ? id.slice(id.indexOf(',') + 1) : id)
  if (range === undefined) {
    throw new ServiceError(410, `PartitionKeyRange with id '${id}' in collection '${container.id}' doesn't exist.`, {
      subStatus: 1002
    })
  }
  if (range.phase !== 'online') {
    throw new ServiceError(410, `PartitionKeyRange with id '${id}' is ${range.phase}.`, { subStatus: 1007 })
  }
  return range
}

/** Properties of a request that matter for throttling. */
export function traitsOf(request: WireRequest): RequestTraits {
  const bucket = headerOf(request, 'x-ms-cosmos-throughput-bucket')
  refuseUnless(
    bucket === undefined || /^[1-5]$/.test(bucket),
    "The header 'x-ms-cosmos-throughput-bucket' must be a number from 1 to 5."
  )
  return {
    isLowPriority: headerOf(request, 'x-ms-cosmos-priority-level')?.toLowerCase() === 'low',
    bucket: bucket === undefined ? undefined : Number(bucket),
    isAdmitted: false
  }
}

function hasHighBytes(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return true
  return false
}
