/** The error of a refused request: a status and sub-status of the service, and a sentence for the user. */
export class ServiceError extends Error {
  readonly status: number
  readonly subStatus: number
  readonly retryAfterMs: number | undefined
  readonly additionalErrorInfo: string | undefined

  constructor(
    status: number,
    message: string,
    details: { subStatus?: number; retryAfterMs?: number; additionalErrorInfo?: string } = {}
  ) {
    super(message)
    this.status = status
    this.subStatus = details.subStatus ?? 0
    this.retryAfterMs = details.retryAfterMs
    this.additionalErrorInfo = details.additionalErrorInfo
  }
}

/** The `code` that the service returns with a status. */
export function errorCode(status: number, subStatus: number): string {
  if (status === 404 && subStatus === 1002) return 'ReadSessionNotAvailable'
  return CODES[status] ?? (status < 500 ? 'BadRequest' : 'InternalServerError')
}

const CODES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'RequestEntityTooLarge',
  424: 'FailedDependency',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  449: 'RetryWith',
  500: 'InternalServerError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable'
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses a request with 400 and this message unless the condition is true. */
export function refuseUnless(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ServiceError(400, message)
}
