import { errorCode, type ServiceError } from '../service-error.ts'

/** An answer before the headers that all answers share. */
export interface Answer {
  readonly status: number
  readonly body: string | Buffer | undefined
  readonly chargeRu: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** For faults that shorten a bulk answer: the elements of the body. */
  readonly elements?: readonly string[]
}

/** An answer with a JSON value. */
export function jsonAnswer(status: number, value: unknown, chargeRu: number, headers: readonly string[] = []): Answer {
  return { status, body: JSON.stringify(value), chargeRu, headers }
}

/** The answer to a request that was refused; every error has a JSON body. */
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
