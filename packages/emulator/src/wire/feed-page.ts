import type { RequestTraits } from '../charge/meter.ts'
import { pageCharge } from '../charge/operation-charge.ts'
import { THROTTLED_MESSAGE } from '../engine/execute.ts'
import type { ScanScope } from '../engine/scan.ts'
import { HIGHEST, LOWEST } from '../partition/boundaries.ts'
import { effectiveKey } from '../partition/effective-key.ts'
import type { PartitionKey } from '../partition/partition-key.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { itemHeaders } from './item-answer.ts'
import { keyOf, rangeOf, refuseRecreated } from './operation-request.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/**
 * The scope of a feed or query by its headers: a key, a prefix of a key, a range, effective keys, or the whole
 * container.
 */
export function feedScopeOf(request: WireRequest, container: Container): ScanScope {
  refuseRecreated(request, container)
  const key = keyOf(request)
  if (key !== undefined && key.values.length > 0) return scopeOfKey(container, key)
  const range = rangeOf(request, container)
  const min = effectiveKeyOf(request, 'x-ms-start-epk') ?? range?.min ?? LOWEST
  const max = effectiveKeyOf(request, 'x-ms-end-epk') ?? range?.max ?? HIGHEST
  return { kind: 'keys', min, max, range }
}

/** The scope of a key, or of all keys that begin with the given levels. */
export function scopeOfKey(container: Container, key: PartitionKey): ScanScope {
  const levels = container.keyPaths.length
  refuseUnless(
    key.values.length <= levels,
    `The partition key has more components than the ${levels} that the container defines.`
  )
  if (key.values.length === levels) return { kind: 'partition', partition: container.partition(key) }
  const prefix = effectiveKey(key.values, container.key)
  return { kind: 'keys', min: prefix, max: `${prefix}FF`, range: undefined }
}

/** Whether a scope is less than the whole container. */
export function isScoped(scope: ScanScope): boolean {
  return scope.kind === 'partition' || scope.range !== undefined || scope.min !== LOWEST || scope.max !== HIGHEST
}

function effectiveKeyOf(request: WireRequest, name: string): string | undefined {
  const value = headerOf(request, name)
  if (value === undefined) return undefined
  refuseUnless(/^[0-9A-F]*$/i.test(value), `The header ${name} must be hexadecimal digits.`)
  return value.toUpperCase()
}

/** Maximum size of a page. */
export interface PageSize {
  readonly items: number
  readonly bytes: number
}

/** The page size of a request; with -1 the server chooses. */
export function pageSizeOf(request: WireRequest): PageSize {
  const header = headerOf(request, 'x-ms-max-item-count')
  if (header === undefined) return { items: DEFAULT_ITEMS, bytes: MAX_PAGE_BYTES }
  const asked = Number(header)
  refuseUnless(
    Number.isInteger(asked) && asked >= -1 && asked !== 0,
    "The header 'x-ms-max-item-count' must be -1 or a positive whole number."
  )
  return { items: asked === -1 ? SERVER_ITEMS : asked, bytes: MAX_PAGE_BYTES }
}

const DEFAULT_ITEMS = 100
const SERVER_ITEMS = 1000
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Refuses a page when one of its ranges has no budget left. The charge is known only after the page was read. */
export function admitPage(service: Service, ranges: readonly PhysicalRange[], traits: RequestTraits): void {
  for (const range of ranges) {
    if (range.phase !== 'online') {
      throw new ServiceError(410, `PartitionKeyRange with id '${range.id}' is ${range.phase}.`, { subStatus: 1007 })
    }
    const throttled = service.engine.meter.admit(range, service.now(), traits)
    if (throttled !== undefined) throw new ServiceError(429, THROTTLED_MESSAGE, throttled)
  }
}

/** Charges a page to its ranges in equal parts and returns the whole charge. */
export function payPage(
  service: Service,
  ranges: readonly PhysicalRange[],
  traits: RequestTraits,
  bytes: number
): number {
  const chargeRu = pageCharge(bytes)
  for (const range of ranges) {
    service.engine.meter.pay(range, service.now(), chargeRu / ranges.length, { ...traits, isAdmitted: true })
  }
  return chargeRu
}

/** The headers of a page over one or more ranges. */
export function feedHeaders(
  container: Container,
  ranges: readonly PhysicalRange[],
  count: number,
  continuation: string | undefined
): string[] {
  const [first] = ranges
  const headers = first === undefined ? ['x-ms-content-path', container.rid] : itemHeaders(container, first)
  if (ranges.length > 1) headers[1] = ranges.map((range) => range.sessionToken).join(',')
  headers.push('x-ms-item-count', String(count))
  if (continuation !== undefined) headers.push('x-ms-continuation', continuation)
  return headers
}
