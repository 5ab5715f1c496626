import { KeystampError } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import { checkShare, type Share } from '../budget/throughput-share.ts'
import { ACCOUNT_OPTION_NAMES, type AccountOptions, checkAccountOptions } from '../client/account-options.ts'
import { checkPriority, PRIORITY_OPTION_NAMES, type PriorityOptions } from '../client/priority.ts'

/** Options for reading the changes of a container. */
export interface ChangeFeedOptions extends AccountOptions, PriorityOptions {
  /**
   * Share of the provisioned throughput that the reads may use: RU/s for all physical partitions together, or a
   * percentage. Default: only throttling limits the reads.
   */
  readonly share?: Share
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which one request is retried if it fails. Throttling is not a failure. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Interval at which throughput and container are read again. Default: 60,000 ms. */
  readonly followOfferMs?: number
}

/** The options with their defaults. */
export type ChangeFeedSettings = ChangeFeedOptions &
  Required<Pick<ChangeFeedOptions, 'requestTimeoutMs' | 'retryForMs' | 'followOfferMs' | 'priorityLevel'>>

const KNOWN: readonly string[] = [
  ...ACCOUNT_OPTION_NAMES,
  ...PRIORITY_OPTION_NAMES,
  ...(['share', 'requestTimeoutMs', 'retryForMs', 'followOfferMs'] satisfies (keyof ChangeFeedOptions)[])
]

/** Completes and checks options. Throws OPTION_INVALID. */
export function resolveChangeFeedOptions(options: ChangeFeedOptions): ChangeFeedSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid(
      '`openChangeFeed` needs an object with `endpoint`, `key` or `credential`, `database` and `container`.'
    )
  checkOptionNames(options, KNOWN)
  checkAccountOptions(options)
  checkPriority(options)
  if (options.share !== undefined) checkShare(options.share)
  const settings = {
    ...options,
    priorityLevel: options.priorityLevel ?? 'Low',
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    retryForMs: options.retryForMs ?? 60_000,
    followOfferMs: options.followOfferMs ?? 60_000
  }
  for (const name of ['requestTimeoutMs', 'retryForMs', 'followOfferMs'] as const) {
    if (!(settings[name] > 0)) throw invalid(`\`${name}\` must be a number above 0.`)
  }
  return settings
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
