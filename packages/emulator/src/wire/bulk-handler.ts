import type { PhysicalRange } from '../partition/physical-range.ts'
import { refuseUnless } from '../store/checks.ts'
import { type OperationRequest, THROTTLED_MESSAGE } from '../store/execute.ts'
import type { Outcome } from '../store/item-operation.ts'
import type { Answer } from './answer.ts'
import { parseOperations } from './batch-operation.ts'
import { type BulkRun, runBulkElement } from './bulk-element.ts'
import { isMinimal } from './item-handlers.ts'
import { itemHeaders } from './item-headers.ts'
import { operationRequestOf } from './operation-request.ts'
import { operationResult } from './operation-result.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import { ServiceError } from './service-error.ts'
import type { Service } from './service.ts'
import { isSet, type WireRequest } from './wire-request.ts'

// what would exceed it is cut to 413/3402, though it was applied
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** `POST …/docs` with `is-batch-request` and not atomic: many operations on one range, each with its own outcome. */
export function runBulk(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const operationRequest = operationRequestOf(service, request, container)
  const { range } = operationRequest
  refuseUnless(range !== undefined, 'A bulk request must name its range in the header x-ms-documentdb-partitionkeyrangeid.')
  const elements = parseOperations(request.body, container.knownMembers)
  const admitted = admit(service, operationRequest, range)
  const run: BulkRun = { service, container, request: admitted, isMinimal: isMinimal(request), keys: new Map() }
  const goesOn = isSet(request, 'x-ms-cosmos-batch-continue-on-error')
  const results = runElements(run, elements, goesOn)
  if (results.isThrottled) range.usage.refusedRequest(service.now())
  const headers = itemHeaders(container, range)
  const chargeRu = Math.round(results.chargeRu * 100) / 100
  return { status: results.isGood ? 200 : 207, body: `[${results.texts.join(',')}]`, chargeRu, headers, elements: results.texts }
}

function admit(service: Service, request: OperationRequest, range: PhysicalRange): OperationRequest {
  if (service.engine.meter.options?.bulk !== 'request') return request
  const throttled = service.engine.meter.admit(range, service.now(), request.traits)
  if (throttled !== undefined) throw new ServiceError(429, THROTTLED_MESSAGE, throttled)
  return { ...request, traits: { ...request.traits, isAdmitted: true } }
}

interface BulkResults {
  texts: string[]
  chargeRu: number
  isGood: boolean
  isThrottled: boolean
}

function runElements(run: BulkRun, elements: readonly Record<string, unknown>[], goesOn: boolean): BulkResults {
  const results: BulkResults = { texts: [], chargeRu: 0, isGood: true, isThrottled: false }
  let bytes = 0
  let isStopped = false
  for (const element of elements) {
    const outcome = isStopped ? DEPENDENT : runBulkElement(run, element)
    if (outcome.status >= 400) {
      results.isGood = false
      isStopped ||= !goesOn
    }
    if (outcome.status === 429) results.isThrottled = true
    results.chargeRu += outcome.chargeRu
    let text = operationResult(run.container, element['operationType'], outcome, run.isMinimal)
    if (bytes + text.length > MAX_ANSWER_BYTES) {
      results.isGood = false
      text = operationResult(run.container, undefined, { ...OVERFLOW, chargeRu: outcome.chargeRu }, true)
    }
    bytes += text.length
    results.texts.push(text)
  }
  return results
}

const OVERFLOW: Outcome = {
  status: 413,
  subStatus: 3402,
  message: 'The answer is too large; the operation was applied.',
  chargeRu: 0,
  item: undefined,
  retryAfterMs: undefined
}
const DEPENDENT: Outcome = {
  ...OVERFLOW,
  status: 424,
  subStatus: 0,
  message: 'An earlier operation failed, and the request does not go on after an error.'
}
