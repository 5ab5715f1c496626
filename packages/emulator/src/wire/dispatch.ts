import { METADATA_RU } from '../charge/operation-charge.ts'
import { THROTTLED_MESSAGE } from '../engine/execute.ts'
import { KIND_GROUPS, type RequestKind } from '../fault/request-kind.ts'
import { ServiceError } from '../service-error.ts'
import { type Answer, errorAnswer } from './answer.ts'
import type { Authorizer } from './authorize.ts'
import { isQuery } from './database-handlers.ts'
import { checkConsistency } from './consistency.ts'
import { findRoute, type Route } from './routes.ts'
import type { Service } from './service.ts'
import { serveUnderFault, toFaultTarget } from './serve-under-fault.ts'
import { refuseWebPage } from './web-page-requests.ts'
import type { WireRequest } from './wire-request.ts'

/** Answers a request; undefined means that the connection is reset. */
export type Dispatch = (request: WireRequest) => Answer | undefined | Promise<Answer | undefined>

/**
 * Creates a function that authorizes a request, finds its route, applies a fault if one matches, and calls the
 * handler.
 */
export function createDispatch(service: Service, authorize: Authorizer, control: Dispatch): Dispatch {
  const { data } = service
  const answerNow = createAnswerer(service, authorize, control)
  if (data === undefined) return answerNow
  return (received) => {
    data.admit()
    return data.settle(answerNow(received))
  }
}

function createAnswerer(service: Service, authorize: Authorizer, control: Dispatch): Dispatch {
  const { settings, faults } = service
  return (received) => {
    if (CONTROL.has(received.address.segments[0])) return control(received)
    refuseWebPage(received)
    const request = authorize(received)
    const route = findRoute(request)
    const action = faults.isEmpty ? undefined : faults.actionFor(toFaultTarget(service, request, route.kind))
    const serve = (): Answer | Promise<Answer> => answerOf(request, () => run(service, route, request))
    const dueMs = performance.now() + settings.latencyMs
    const answer = action === undefined ? serve() : serveUnderFault(action, request, serve)
    return settings.latencyMs === 0 ? answer : later(answer, dueMs - performance.now())
  }
}

// paths of the emulator itself: the service has none of them
const CONTROL: ReadonlySet<string | undefined> = new Set(['_control', '_explorer'])

// faults and latency treat a refusal like any other answer
function answerOf(request: WireRequest, serve: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
  const refused = (error: unknown): Answer => {
    if (error instanceof ServiceError) return errorAnswer(error, 0, request.activityId)
    throw error
  }
  try {
    const answer = serve()
    return answer instanceof Promise ? answer.catch(refused) : answer
  } catch (error) {
    return refused(error)
  }
}

function run(service: Service, route: Route, request: WireRequest): Answer | Promise<Answer> {
  if (service.data !== undefined && isWrite(route, request)) service.data.admitWrite()
  checkConsistency(service, request)
  if (IS_METADATA[route.kind] === true) {
    const throttled = service.engine.meter.payMetadata(service.now(), METADATA_RU)
    if (throttled !== undefined) throw new ServiceError(429, THROTTLED_MESSAGE, throttled)
  }
  return route.handle(service, request)
}

function isWrite({ kind }: Route, request: WireRequest): boolean {
  return WRITES.has(kind) || (MIXED.has(kind) && request.method !== 'GET' && !isQuery(request))
}

// kinds of requests that read or write, depending on their method
const MIXED: ReadonlySet<RequestKind> = new Set<RequestKind>(['offers', 'users', 'permissions'])

const WRITES: ReadonlySet<RequestKind> = new Set<RequestKind>([
  ...KIND_GROUPS.write,
  'createDatabase',
  'deleteDatabase',
  'createContainer',
  'replaceContainer',
  'deleteContainer'
])

const IS_METADATA: Readonly<Partial<Record<RequestKind, true>>> = {
  createDatabase: true,
  readDatabase: true,
  deleteDatabase: true,
  listDatabases: true,
  createContainer: true,
  readContainer: true,
  replaceContainer: true,
  deleteContainer: true,
  listContainers: true,
  ranges: true,
  offers: true,
  users: true,
  permissions: true
}

// the minimum time of an answer includes the time to serve the request
async function later(
  answer: Answer | undefined | Promise<Answer | undefined>,
  inMs: number
): Promise<Answer | undefined> {
  const delay = new Promise((resolve) => setTimeout(resolve, inMs))
  // waits for both: an answer that fails during the delay would otherwise be an unhandled rejection
  await Promise.allSettled([answer, delay])
  return answer
}
