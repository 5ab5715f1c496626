import type { FaultAction, FaultStatus } from '../fault/fault-rule.ts'
import type { FaultTarget } from '../fault/faults.ts'
import type { RequestKind } from '../fault/request-kind.ts'
import { ServiceError } from '../service-error.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { keyOf } from './operation-request.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** Serves a request under a fault; undefined means that the connection is reset. */
export async function serveUnderFault(
  action: FaultAction,
  request: WireRequest,
  serve: () => Answer | Promise<Answer>
): Promise<Answer | undefined> {
  switch (action.kind) {
    case 'status':
      return failed(action, request)
    case 'delay':
      await pause(action.ms)
      return serve()
    case 'reset':
      return undefined
    case 'applyThenDrop':
      await serve()
      return undefined
    case 'applyThenDelay': {
      const answer = await serve()
      await pause(action.ms)
      return answer
    }
    case 'applyThenStatus':
      await serve()
      return failed(action, request)
    case 'shortAnswer':
      return shortened(await serve(), action.missing ?? 1)
    case 'emptyBody':
      return { status: action.status ?? 503, body: undefined, chargeRu: 0, headers: [] }
    case 'htmlBody':
      return { status: action.status ?? 502, body: HTML, chargeRu: 0, headers: ['content-type', 'text/html'] }
    case 'clockSkew': {
      const answer = await serve()
      return { ...answer, headers: [...answer.headers, 'date', new Date(Date.now() + action.ms).toUTCString()] }
    }
  }
}

/** The properties of a request that a fault can match. */
export function toFaultTarget(service: Service, request: WireRequest, kind: RequestKind): FaultTarget {
  const [database, container, id] = request.address.ids
  return {
    kind,
    database,
    container,
    id: id ?? idInBody(request, kind),
    partitionKey: headerOf(request, 'x-ms-documentdb-partitionkey'),
    range: () => headerOf(request, 'x-ms-documentdb-partitionkeyrangeid') ?? rangeOfKey(service, request)
  }
}

/** The error answer of a fault. */
export function toServiceError(status: FaultStatus): ServiceError {
  const { subStatus = 0, retryAfterMs, message } = status
  const details = retryAfterMs === undefined ? { subStatus } : { subStatus, retryAfterMs }
  return new ServiceError(status.status, message ?? 'A fault was injected.', details)
}

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

function failed(status: FaultStatus, request: WireRequest): Answer {
  return errorAnswer(toServiceError(status), 0, request.activityId)
}

function shortened(answer: Answer, missing: number): Answer {
  if (answer.elements === undefined) return answer
  return { ...answer, body: `[${answer.elements.slice(0, Math.max(0, answer.elements.length - missing)).join(',')}]` }
}

function idInBody(request: WireRequest, kind: RequestKind): string | undefined {
  if (kind !== 'create' && kind !== 'upsert') return undefined
  return /"id"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(request.body.toString())?.[1]
}

function rangeOfKey(service: Service, request: WireRequest): string | undefined {
  const [databaseId, containerId] = request.address.ids
  const container =
    databaseId === undefined || containerId === undefined
      ? undefined
      : service.account.findContainer(databaseId, containerId)
  const key = keyOf(request)
  return container === undefined || key === undefined ? undefined : container.partition(key).range.id
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
