import { refuseUnless } from '../store/checks.ts'
import type { Container } from '../store/container.ts'
import { execute, type OperationRequest } from '../store/execute.ts'
import type { ItemOperation, Outcome } from '../store/item-operation.ts'
import { keyOfDocument, parsePartitionKey, type PartitionKey } from '../store/partition-key.ts'
import { toItemOperation } from './batch-operation.ts'
import { ServiceError } from './service-error.ts'
import type { Service } from './service.ts'
import { toServiceError } from './strike.ts'

/** A bulk request while its operations run. */
export interface BulkRun {
  readonly service: Service
  readonly container: Container
  readonly request: OperationRequest
  readonly isMinimal: boolean
  /** Keys of this request by their JSON: most requests repeat few. */
  readonly keys: Map<string, PartitionKey>
}

/** Runs one operation of a bulk request. */
export function runBulkElement(run: BulkRun, element: Record<string, unknown>): Outcome {
  try {
    const operation = toItemOperation(element, keyOfElement(run, element))
    const serve = (): Outcome => execute(run.service.engine, run.container, operation, run.request)
    return run.service.faults.isEmpty ? serve() : runUnderFaults(run, operation, serve)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return refused(error)
  }
}

function runUnderFaults(run: BulkRun, operation: ItemOperation, serve: () => Outcome): Outcome {
  const { container, service } = run
  const id = operation.id ?? (operation.body as { id?: unknown } | undefined)?.id
  const action = service.faults.strike({
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
      typeof element['resourceBody'] === 'object' ? keyOfDocument(element['resourceBody'] ?? {}, run.container.keyPaths) : undefined
    refuseUnless(own !== undefined, "The property 'partitionKey' of the operation is missing.")
    return own
  }
  refuseUnless(typeof json === 'string', "The property 'partitionKey' of the operation must be a string that holds a JSON array.")
  let key = run.keys.get(json)
  if (key === undefined) run.keys.set(json, (key = parsePartitionKey(json)))
  return key
}

function refused({ status, subStatus, message, retryAfterMs }: ServiceError): Outcome {
  return { status, subStatus, message, retryAfterMs, chargeRu: 0, item: undefined }
}
