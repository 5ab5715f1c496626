import type { ErrorCode } from './error-codes.ts'

const BRAND: unique symbol = Symbol.for('keystamp.error') as never

/**
 * Error that stops the work, such as an invalid plan. A rejection of one record is a value instead, of type
 * `Rejection`.
 */
export class KeystampError extends Error {
  /** One of ERROR_CODES; or one of RECORD_CODES if the rejection of a record is thrown. */
  readonly code: ErrorCode | (string & {})
  /**
   * Whether the same call can succeed later. Always set, because clients such as kafkajs retry errors without this
   * property.
   */
  readonly retriable: boolean = false

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'KeystampError'
    this.code = code
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** Recognizes the errors of this package, even if two copies of the package are installed. */
export function isKeystampError(error: unknown): error is KeystampError {
  return typeof error === 'object' && error !== null && BRAND in error
}
