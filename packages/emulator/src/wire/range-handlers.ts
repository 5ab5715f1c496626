import { METADATA_RU } from '../charge/operation-charge.ts'
import type { PhysicalRange } from '../partition/physical-range.ts'
import type { Container } from '../store/container.ts'
import { childRid } from '../store/resource-id.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** `GET …/pkranges`: the whole list, or 304 for a client that has it and asks for what changed. */
export function readRanges(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const etag = `"${container.ranges.revision}"`
  const headers = ['etag', etag, 'x-ms-item-count', String(container.ranges.all.length), 'x-ms-content-path', container.rid]
  const known = headerOf(request, 'if-none-match')
  if (known === etag) return { status: 304, body: undefined, chargeRu: METADATA_RU, headers }
  const ranges = container.ranges.all.map((range) => rangeJson(container, range))
  return jsonAnswer(200, { _rid: container.rid, PartitionKeyRanges: ranges, _count: ranges.length }, METADATA_RU, headers)
}

function rangeJson(container: Container, range: PhysicalRange): Record<string, unknown> {
  const rid = childRid(container.rid, range.ordinal, 'range')
  return {
    _rid: rid,
    id: range.id,
    _etag: container.etag,
    minInclusive: range.min,
    maxExclusive: range.max,
    ridPrefix: range.ordinal,
    _self: `${container.self}pkranges/${rid}/`,
    throughputFraction: 1 / container.ranges.all.length,
    status: range.phase === 'online' ? 'online' : 'splitting',
    parents: range.parents,
    ownedArchivalPKRangeIds: [],
    _ts: container.toJson()['_ts'],
    lsn: range.lsn
  }
}
