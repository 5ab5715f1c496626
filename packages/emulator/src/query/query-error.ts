/** A query that is wrong (400) or uses what this emulator does not have (501); the message names what and where. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError'
  readonly status: 400 | 501
  /** Where in the text, counted in characters from zero; absent where the fault has no place. */
  readonly position: number | undefined
  /** 0 where the service gives none. */
  readonly subStatus: number

  constructor(status: 400 | 501, message: string, position?: number, subStatus: number = 0) {
    super(message)
    this.status = status
    this.position = position
    this.subStatus = subStatus
  }
}

/** The error for something the service knows and this emulator does not. */
export function notSupported(what: string, position?: number): QueryError {
  return new QueryError(501, `${what} is not supported by this emulator${place(position)}.`, position)
}

/** The error for text that is not a query. */
export function wrongQuery(what: string, position?: number): QueryError {
  return new QueryError(400, `${what}${place(position)}.`, position)
}

function place(position: number | undefined): string {
  return position === undefined ? '' : `, at position ${position}`
}
