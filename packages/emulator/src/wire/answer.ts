import { errorCode, type ServiceError } from '../service-error.ts'

/** An answer without the headers that every answer has. */
export interface Answer {
  readonly status: number
  /** A list of blocks is sent block by block, and other requests run in between. */
  readonly body: string | Buffer | readonly Buffer[] | undefined
  readonly chargeRu: number
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  /** The elements of the body, for faults that shorten a bulk answer. */
  readonly elements?: readonly string[]
}

/** An answer with a JSON value. */
export function jsonAnswer(status: number, value: unknown, chargeRu: number, headers: readonly string[] = []): Answer {
  return { status, body: JSON.stringify(value), chargeRu, headers }
}

/** The answer to a refused request; every error has a JSON body. */
export function errorAnswer(error: ServiceError, chargeRu: number, activityId: string): Answer {
  const headers: string[] = []
  if (error.subStatus !== 0) headers.push('x-ms-substatus', String(error.subStatus))
  if (error.retryAfterMs !== undefined) headers.push('x-ms-retry-after-ms', String(error.retryAfterMs))
  const body = {
    code: errorCode(error.status, error.subStatus),
    message: `${error.message}\r\nActivityId: ${activityId}`,
    ...(error.additionalErrorInfo === undefined ? {} : { additionalErrorInfo: error.additionalErrorInfo })
  }
  return jsonAnswer(error.status, body, chargeRu, headers)
}
