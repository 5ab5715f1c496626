import { checkOptionNames } from '@keystamp/core/internal'
import { KeystampError, type Plan, type PlanDefinition } from '@keystamp/core'
import { ACCOUNT_OPTION_NAMES, type AccountOptions, checkAccountOptions } from '../client/account-options.ts'
import type { PageRead } from './range-pages.ts'

/** Options of a reader. */
export interface ReaderOptions extends AccountOptions {
  /** The plan of the writers. Default: no plan; the parts contain the key itself, at the key paths of the container. */
  readonly plan?: Plan | PlanDefinition
  /** Concurrent requests. Default: 8. */
  readonly parallel?: number
  /** Maximum number of documents in a page. A page also ends at 4 MB. Default: 1,000. */
  readonly pageItems?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which one request is retried if it is throttled or fails. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Called after each page. */
  readonly onPage?: (page: PageRead) => void
}

/** The options with their defaults. */
export type ReaderSettings = ReaderOptions &
  Required<Pick<ReaderOptions, 'parallel' | 'pageItems' | 'requestTimeoutMs' | 'retryForMs' | 'onPage'>>

/** Completes and checks options. Throws OPTION_INVALID. */
export function resolveReaderOptions(options: ReaderOptions): ReaderSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('`createReader` needs an object with `endpoint`, `key` or `credential`, `database` and `container`.')
  checkOptionNames(options, KNOWN)
  checkAccountOptions(options)
  const settings: ReaderSettings = {
    ...options,
    parallel: options.parallel ?? 8,
    pageItems: options.pageItems ?? 1000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    retryForMs: options.retryForMs ?? 60_000,
    onPage: options.onPage ?? (() => {})
  }
  for (const name of ['parallel', 'pageItems', 'requestTimeoutMs', 'retryForMs'] as const) {
    const value = settings[name]
    if (!Number.isSafeInteger(value) || value < 1) throw invalid(`\`${name}\` must be a whole number from 1 on.`)
  }
  return settings
}

const KNOWN: readonly string[] = [
  ...ACCOUNT_OPTION_NAMES,
  ...(['plan', 'parallel', 'pageItems', 'requestTimeoutMs', 'retryForMs', 'onPage'] satisfies (keyof ReaderOptions)[])
]

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
