import type { ErrorCode } from './error-codes.ts'

const BRAND: unique symbol = Symbol.for('keystamp.error') as never

/** Thrown for what stops the work: a wrong plan, a question that cannot be answered. What happens to one record is a value instead. */
export class KeystampError extends Error {
  /** One of ERROR_CODES, or why one record was rejected where that is thrown. */
  readonly code: ErrorCode | (string & {})
  /** Whether the same call can succeed later. Clients such as kafkajs retry whatever does not say. */
  readonly retriable: boolean = false

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'KeystampError'
    this.code = code
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** Recognises the errors of this package, also when two copies of it are installed. */
export function isKeystampError(error: unknown): error is KeystampError {
  return typeof error === 'object' && error !== null && BRAND in error
}
