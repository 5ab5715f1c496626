import { executeBatch } from '../engine/execute.ts'
import { parsePartitionKey, type PartitionKey } from '../partition/partition-key.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { parseOperations, toItemOperation } from './batch-operation.ts'
import { isMinimal, itemHeaders, operationResult } from './item-answer.ts'
import { keyOf, operationRequestOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import type { WireRequest } from './wire-request.ts'

/** `POST …/docs` with `is-batch-request` and atomic: operations on one partition key, all or none. */
export function runBatch(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const operationRequest = operationRequestOf(service, request, container)
  const key = keyOf(request)
  refuseUnless(key !== undefined, 'An atomic batch must name its partition key in the header x-ms-documentdb-partitionkey.')
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
    const error = new ServiceError(status, whole.message ?? '', retryAfterMs === undefined ? { subStatus } : { subStatus, retryAfterMs })
    return errorAnswer(error, chargeRu, request.activityId)
  }
  const texts = outcomes.map((outcome, index) => operationResult(container, operations[index].type, outcome, isMinimal(request)))
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
