import { checkOptionNames } from '@keystamp/core/internal'
import { KeystampError, type Plan, type PlanDefinition } from '@keystamp/core'
import { ACCOUNT_OPTION_NAMES, type AccountOptions, checkAccountOptions } from '../client/account-options.ts'
import { checkPriority, PRIORITY_OPTION_NAMES, type PriorityOptions } from '../client/priority.ts'
import { type NewestOptions, type NewestSettings, resolveNewest } from './newest-options.ts'
import type { CosmosError } from '../client/cosmos-error.ts'
import { checkShare, type Share, type SharedBudget } from '../budget/throughput-share.ts'
import { checkRedisAddress } from '../budget/redis-ledger.ts'

/** Options of a writer. */
export interface WriterOptions extends AccountOptions, PriorityOptions {
  /**
   * Makes key and id of each record. Default: records already contain them, the key at the key paths of the container.
   */
  readonly plan?: Plan | PlanDefinition
  /**
   * Share of the provisioned throughput that this writer may use: RU/s for all ranges together, or a percentage.
   * Default: `100%`.
   */
  readonly share?: Share
  /** Redis through which other processes share the budget. Default: only this process uses it. */
  readonly sharedThrough?: SharedBudget
  /** Called when Redis cannot be reached for a while. */
  readonly onSharedBudgetError?: (error: Error) => void
  /**
   * Called before each request. While it returns false, nothing is sent, and it is called again soon. Default: always
   * true.
   */
  readonly maySend?: () => boolean
  /**
   * Called if Cosmos DB refuses the credentials, or if there is no token. If it returns true, the writer waits, signs
   * again and sends again; if it returns false, the writer stops. Default: the writer signs again once, and then stops.
   */
  readonly onUnauthorized?: (error: CosmosError) => boolean
  /** Called when refused credentials are accepted again. */
  readonly onAuthorized?: () => void
  /**
   * Maximum bytes of pending records, with an additional kilobyte for each record. Infinity: bytes are not counted, and
   * `hasRoom` and `room` never wait for bytes; for callers with their own limit. Default: 16 MiB.
   */
  readonly maxBytes?: number
  /**
   * Accepts undefined as a value of a key: the operation is on a document that does not have the property. Default:
   * false, because an undefined value is usually a mistake.
   */
  readonly missingKeys?: boolean
  /**
   * Stores a document only if it is newer than the stored one, also if writes are late, repeated or reordered. The writer
   * then accepts the operations upsert and delete. Default: the last write wins.
   */
  readonly newest?: NewestOptions
  /** Time for which an operation is retried if Cosmos DB fails. Throttling is not a failure. Default: 120,000 ms. */
  readonly retryForMs?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /**
   * Interval at which throughput and container are read again, to detect changes while the writer runs. Default: 60,000
   * ms.
   */
  readonly followOfferMs?: number
}

/** The options with their defaults. */
export type WriterSettings = Omit<WriterOptions, 'newest'> & { readonly newest?: NewestSettings } & Required<
    Pick<WriterOptions, 'share' | 'maxBytes' | 'retryForMs' | 'requestTimeoutMs' | 'followOfferMs'>
  >

/** Completes and checks options. Throws OPTION_INVALID. */
export function resolveWriterOptions(options: WriterOptions): WriterSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('`createWriter` needs an object with `endpoint`, `key` or `credential`, `database` and `container`.')
  checkOptionNames(options, KNOWN)
  checkAccountOptions(options)
  checkPriority(options)
  const { newest, ...others } = options
  const settings: WriterSettings = {
    ...others,
    ...(newest === undefined ? {} : { newest: resolveNewest(newest) }),
    share: options.share ?? '100%',
    maxBytes: options.maxBytes ?? 16 * 1024 * 1024,
    retryForMs: options.retryForMs ?? 120_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    followOfferMs: options.followOfferMs ?? 60_000
  }
  checkShare(settings.share)
  if (settings.sharedThrough !== undefined) checkRedisAddress(settings.sharedThrough.redis)
  for (const name of ['maxBytes', 'retryForMs', 'requestTimeoutMs', 'followOfferMs'] as const) {
    if (!(settings[name] > 0)) throw invalid(`\`${name}\` must be a number above 0.`)
  }
  return settings
}

const KNOWN: readonly string[] = [
  ...ACCOUNT_OPTION_NAMES,
  ...PRIORITY_OPTION_NAMES,
  'plan',
  'share',
  'sharedThrough',
  'onSharedBudgetError',
  'maySend',
  'onUnauthorized',
  'onAuthorized',
  'maxBytes',
  'missingKeys',
  'newest',
  'retryForMs',
  'requestTimeoutMs',
  'followOfferMs'
]

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
