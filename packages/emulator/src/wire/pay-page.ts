import type { RequestTraits } from '../charge/meter.ts'
import { pageCharge } from '../charge/operation-charge.ts'
import type { PhysicalRange } from '../partition/physical-range.ts'
import { THROTTLED_MESSAGE } from '../store/execute.ts'
import { ServiceError } from './service-error.ts'
import type { Service } from './service.ts'

/** Refuses a page that one of its ranges cannot pay; what it costs is known only afterwards. */
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
export function payPage(service: Service, ranges: readonly PhysicalRange[], traits: RequestTraits, bytes: number): number {
  const chargeRu = pageCharge(bytes)
  for (const range of ranges) {
    service.engine.meter.pay(range, service.now(), chargeRu / ranges.length, { ...traits, isAdmitted: true })
  }
  return chargeRu
}
