import { execute, executeBatch, type OperationRequest, THROTTLED_MESSAGE } from '../engine/execute.ts'
import type { ItemOperation, Outcome } from '../engine/item-operation.ts'
import { keyOfDocument, parsePartitionKey, type PartitionKey } from '../partition/partition-key.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { CanonicalDocument } from '../store/document.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { parseOperations, toItemOperation } from './batch-operation.ts'
import { isMinimal, itemHeaders, operationResult } from './item-answer.ts'
import { keyOf, operationRequestOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import { toServiceError } from './serve-under-fault.ts'
import type { Service } from './service.ts'
import { isSet, type WireRequest } from './wire-request.ts'

// results beyond this size are replaced by 413/3402, although their operations were applied
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** `POST …/docs` with `is-batch-request` and not atomic: many operations on one range, each with its own outcome. */
export function runBulk(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const operationRequest = operationRequestOf(service, request, container)
  const { range } = operationRequest
  refuseUnless(
    range !== undefined,
    'A bulk request must name its range in the header x-ms-documentdb-partitionkeyrangeid.'
  )
  const elements = parseOperations(request.body, container.knownMembers)
  const admitted = admit(service, operationRequest, range)
  const run: BulkRun = {
    service,
    container,
    request: { ...admitted, bulkLsn: { lsn: -1 } },
    isMinimal: isMinimal(request),
    keys: new Map()
  }
  const continuesOnError = isSet(request, 'x-ms-cosmos-batch-continue-on-error')
  const results = keepingDocuments(container, request.body, elements, () =>
    runElements(run, elements, continuesOnError)
  )
  if (results.isThrottled) range.usage.refusedRequest(service.now())
  const headers = itemHeaders(container, range)
  const chargeRu = Math.round(results.chargeRu * 100) / 100
  return {
    status: results.isGood ? 200 : 207,
    body: `[${results.texts.join(',')}]`,
    chargeRu,
    headers,
    elements: results.texts
  }
}

/** Stores documents without copying them if the body is little more than its documents. */
function keepingDocuments(
  { slabs }: Container,
  body: Buffer,
  elements: readonly Record<string, unknown>[],
  run: () => BulkResults
): BulkResults {
  if (!isMostlyDocuments(body, elements)) return run()
  slabs.lend(body)
  try {
    return run()
  } finally {
    slabs.settle()
  }
}

/** Whether keeping the whole body in memory takes little more than keeping its documents. */
function isMostlyDocuments(body: Buffer, elements: readonly Record<string, unknown>[]): boolean {
  if (body.length < MIN_KEPT_BYTES) return false
  let bytes = 0
  for (const { resourceBody } of elements) if (resourceBody instanceof CanonicalDocument) bytes += resourceBody.length
  return bytes > body.buffer.byteLength * MIN_DOCUMENT_SHARE
}

// each kept body is an object of the JavaScript heap
const MIN_KEPT_BYTES = 16_384
const MIN_DOCUMENT_SHARE = 0.9

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

function runElements(
  run: BulkRun,
  elements: readonly Record<string, unknown>[],
  continuesOnError: boolean
): BulkResults {
  const results: BulkResults = { texts: [], chargeRu: 0, isGood: true, isThrottled: false }
  let bytes = 0
  let isStopped = false
  for (const element of elements) {
    const outcome = isStopped ? DEPENDENT : runBulkElement(run, element)
    if (outcome.status >= 400) {
      results.isGood = false
      isStopped ||= !continuesOnError
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
  message: 'An earlier operation failed, and the request stops at the first error.'
}

/** A bulk request while its operations run. */
interface BulkRun {
  readonly service: Service
  readonly container: Container
  readonly request: OperationRequest
  readonly isMinimal: boolean
  /** Keys of this request by their JSON: most requests repeat a few keys. */
  readonly keys: Map<string, PartitionKey>
}

/** Runs one operation of a bulk request. */
function runBulkElement(run: BulkRun, element: Record<string, unknown>): Outcome {
  try {
    const operation = toItemOperation(element, keyOfElement(run, element))
    const { service, container, request } = run
    if (service.faults.isEmpty) return execute(service.engine, container, operation, request)
    return runUnderFaults(run, operation, () => execute(service.engine, container, operation, request))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return refused(error)
  }
}

function runUnderFaults(run: BulkRun, operation: ItemOperation, serve: () => Outcome): Outcome {
  const { container, service } = run
  const id = operation.id ?? (operation.body as { id?: unknown } | undefined)?.id
  const action = service.faults.actionFor({
    kind: 'bulkOperation',
    operationType: operation.type,
    database: container.database,
    container: container.id,
    id: typeof id === 'string' ? id : undefined,
    partitionKey: `[${operation.key.text}]`,
    range: () => run.request.range?.id
  })
  if (action?.kind !== 'status' && action?.kind !== 'applyThenStatus') return serve()
  if (action.kind === 'applyThenStatus') serve()
  return refused(toServiceError(action))
}

function keyOfElement(run: BulkRun, element: Record<string, unknown>): PartitionKey {
  const json = element['partitionKey']
  if (json === undefined || json === null) {
    const own =
      typeof element['resourceBody'] === 'object'
        ? keyOfDocument(element['resourceBody'] ?? {}, run.container.keyPaths)
        : undefined
    refuseUnless(own !== undefined, "The property 'partitionKey' of the operation is missing.")
    return own
  }
  refuseUnless(
    typeof json === 'string',
    "The property 'partitionKey' of the operation must be a string that holds a JSON array."
  )
  let key = run.keys.get(json)
  if (key === undefined) run.keys.set(json, (key = parsePartitionKey(json)))
  return key
}

function refused({ status, subStatus, message, retryAfterMs }: ServiceError): Outcome {
  return { status, subStatus, message, retryAfterMs, chargeRu: 0, item: undefined }
}

/** `POST …/docs` with `is-batch-request` and atomic: operations on one partition key, all or none. */
export function runBatch(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const operationRequest = operationRequestOf(service, request, container)
  const key = keyOf(request)
  refuseUnless(
    key !== undefined,
    'An atomic batch must name its partition key in the header x-ms-documentdb-partitionkey.'
  )
  const elements = parseOperations(request.body, container.knownMembers)
  for (const [index, element] of elements.entries()) refuseOtherKey(element, key, index)
  const operations = elements.map((element) => toItemOperation(element, key))
  const outcomes = executeBatch(service.engine, container, key, operations, operationRequest)
  const { range } = container.partition(key)
  const headers = itemHeaders(container, range)
  const whole = outcomes.find((outcome) => outcome.status === 429 || outcome.status === 410)
  if (whole !== undefined) {
    range.usage.refusedRequest(service.now())
    const { status, subStatus, chargeRu, retryAfterMs } = whole
    const error = new ServiceError(
      status,
      whole.message ?? '',
      retryAfterMs === undefined ? { subStatus } : { subStatus, retryAfterMs }
    )
    return errorAnswer(error, chargeRu, request.activityId)
  }
  const texts = outcomes.map((outcome, index) =>
    operationResult(container, operations[index].type, outcome, isMinimal(request))
  )
  const chargeRu = Math.round(outcomes.reduce((sum, outcome) => sum + outcome.chargeRu, 0) * 100) / 100
  const isGood = outcomes.every((outcome) => outcome.status < 400)
  return { status: isGood ? 200 : 207, body: `[${texts.join(',')}]`, chargeRu, headers, elements: texts }
}

function refuseOtherKey(element: Record<string, unknown>, key: PartitionKey, index: number): void {
  const json = element['partitionKey']
  if (typeof json !== 'string') return
  const isSame = parsePartitionKey(json).text === key.text
  refuseUnless(
    isSame,
    `One or more operations within the batch request have a different partition key value than the request. The first one is operation ${index}.`
  )
}
