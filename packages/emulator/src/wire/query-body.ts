import { isObject, refuseUnless } from '../store/checks.ts'
import { parseJsonBody } from './json-body.ts'
import type { WireRequest } from './wire-request.ts'

/** The text and the parameters of a query request. */
export interface QueryBody {
  readonly text: string
  readonly parameters: ReadonlyMap<string, unknown>
}

/** Reads the body of a query or of a query plan request. */
export function parseQueryBody(request: WireRequest): QueryBody {
  const body = parseJsonBody(request.body)
  if (typeof body === 'string') return { text: body, parameters: new Map() }
  refuseUnless(isObject(body) && typeof body['query'] === 'string', "The property 'query' must be the text of a query.")
  const parameters = body['parameters'] ?? []
  refuseUnless(Array.isArray(parameters), "The property 'parameters' must be an array.")
  return { text: body['query'], parameters: new Map(parameters.map(toParameter)) }
}

function toParameter(parameter: unknown): [string, unknown] {
  const isNamed = isObject(parameter) && typeof parameter['name'] === 'string'
  refuseUnless(isNamed, 'A parameter of a query has a name and a value.')
  return [parameter['name'] as string, parameter['value']]
}
