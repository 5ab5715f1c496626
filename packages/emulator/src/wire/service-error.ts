/** What stops a request: a status and sub-status of the service, and a sentence for the user. */
export class ServiceError extends Error {
  readonly status: number
  readonly subStatus: number
  readonly retryAfterMs: number | undefined
  readonly additionalErrorInfo: string | undefined

  constructor(status: number, message: string, details: { subStatus?: number; retryAfterMs?: number; additionalErrorInfo?: string } = {}) {
    super(message)
    this.status = status
    this.subStatus = details.subStatus ?? 0
    this.retryAfterMs = details.retryAfterMs
    this.additionalErrorInfo = details.additionalErrorInfo
  }
}

/** The code word that the service puts beside a status. */
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
