/** The error for a query that is invalid (400) or not supported by this emulator (501). The message names the part. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError'
  readonly status: 400 | 501
  /** Position in the query, in characters from zero; undefined when the error has no position. */
  readonly position: number | undefined
  /** 0 if the service returns none. */
  readonly subStatus: number

  constructor(status: 400 | 501, message: string, position?: number, subStatus: number = 0) {
    super(message)
    this.status = status
    this.position = position
    this.subStatus = subStatus
  }
}

/** The error for a feature of the service that this emulator does not support. */
export function notSupported(what: string, position?: number): QueryError {
  return new QueryError(501, `${what} is not supported by this emulator${positionText(position)}.`, position)
}

/** The error for an invalid query. */
export function wrongQuery(what: string, position?: number): QueryError {
  return new QueryError(400, `${what}${positionText(position)}.`, position)
}

function positionText(position: number | undefined): string {
  return position === undefined ? '' : `, at position ${position}`
}
