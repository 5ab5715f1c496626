import { type Answer, jsonAnswer } from './answer.ts'
import { parseQueryBody } from './query-body.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** `POST …/docs` that asks how a client is to run a query over all ranges. */
export function planQueryRequest(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const { text, parameters } = parseQueryBody(request)
  const features = headerOf(request, 'x-ms-cosmos-supported-query-features') ?? ''
  const plan = service.querier.plan(service.querier.parse(text), features, parameters)
  return jsonAnswer(200, plan, 0, ['x-ms-content-path', container.rid])
}
