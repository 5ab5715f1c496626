import { KeystampError } from '@keystamp/core'
import type { Account } from '../client/account.ts'
import type { SystemClock } from '@keystamp/core/internal'

/** Share of the provisioned throughput that this writer may use: RU/s for all ranges together, or a percentage. */
export type Share = number | `${number}%`

/** Returns the RU/s for all ranges together; undefined if the throughput is not known. */
function ruPerSecondOf(share: Share, offerRu: number | undefined): number | undefined {
  if (typeof share === 'number') return share
  return offerRu === undefined ? undefined : (offerRu * Number(share.slice(0, -1))) / 100
}

/** Throws OPTION_INVALID for an invalid share. */
export function checkShare(share: Share): void {
  const number =
    typeof share === 'number' ? share : /^\d+(?:\.\d+)?%$/.test(share) ? Number(share.slice(0, -1)) : Number.NaN
  const isRight = number > 0 && Number.isFinite(number) && (typeof share === 'number' || number <= 100)
  if (!isRight)
    throw new KeystampError(
      'OPTION_INVALID',
      '`share` must be a number of RU/s, or a percentage of the provisioned throughput such as "50%".'
    )
}

/** Throws OPTION_INVALID for an invalid part of a share. */
export function checkPart(part: number): void {
  if (typeof part === 'number' && part > 0 && part <= 1) return
  throw new KeystampError(
    'OPTION_INVALID',
    'The argument of `usePart` must be a number above 0 and at most 1, such as 0.25 for a quarter of the share.'
  )
}

/**
 * Returns a warning for a number of RU/s so small that the user may have meant a percentage; undefined for other
 * shares.
 */
export function smallShareWarning(share: Share): string | undefined {
  if (typeof share !== 'number' || share >= FEW_RU) return undefined
  // 0.5 probably means one half, and 50 probably means 50 percent
  const percent = share <= 1 ? Number((share * 100).toPrecision(6)) : share
  return `\`share\` is ${share}, which means ${share} RU/s. For ${percent} percent of the throughput write \`share: "${percent}%"\`.`
}

// a quarter of the throughput of the smallest container
const FEW_RU = 100

/** Throughput that the writer may use for all ranges together. */
export interface Throughput {
  readonly ruPerSecond: number | undefined
  /** RU/s of the container for all clients; undefined if it was not read. */
  readonly provisionedRuPerSecond: number | undefined
  /** Uses only this part of the throughput from now on. */
  readonly usePart: (part: number) => void
  /** Reason why the throughput is not known; undefined if it is known. */
  readonly unknown: string | undefined
  /** Reads the throughput again in intervals, and calls `onChange` when it has changed. */
  readonly follow: (onChange: () => void) => void
  readonly stop: () => void
}

export interface ThroughputOptions {
  readonly account: Pick<Account, 'offer'>
  readonly share: Share
  readonly everyMs: number
  readonly clock: SystemClock
}

/** Reads the provisioned throughput; a share in RU/s needs no read. */
export async function readThroughput({ account, share, everyMs, clock }: ThroughputOptions): Promise<Throughput> {
  let ruPerSecond: number | undefined
  let provisionedRuPerSecond: number | undefined
  let unknown: string | undefined
  let part = 1
  let cancel: (() => void) | undefined
  let isStopped = false

  async function readOffer(): Promise<void> {
    const offer = await account.offer()
    unknown = 'unknown' in offer ? offer.unknown : undefined
    provisionedRuPerSecond = 'unknown' in offer ? undefined : offer.ruPerSecond
    ruPerSecond = 'unknown' in offer ? undefined : ruPerSecondOf(share, offer.ruPerSecond)
  }

  function follow(onChange: () => void): void {
    if (isStopped || typeof share === 'number') return
    cancel = clock.scheduleIdly(everyMs, () => {
      const before = ruPerSecond
      const readAgain = (): void => {
        if (before !== ruPerSecond && !isStopped) onChange()
        follow(onChange)
      }
      // a failed read does not change the throughput
      readOffer().then(readAgain, readAgain)
    })
  }

  if (typeof share === 'number') ruPerSecond = share
  else await readOffer()
  return {
    follow,
    get ruPerSecond() {
      return ruPerSecond === undefined ? undefined : ruPerSecond * part
    },
    get provisionedRuPerSecond() {
      return provisionedRuPerSecond
    },
    usePart: (used) => {
      part = used
    },
    get unknown() {
      return unknown
    },
    stop: () => {
      isStopped = true
      cancel?.()
    }
  }
}

/** A budget that several processes share. The type must not import `ioredis`, which may not be installed. */
export interface SharedBudget {
  /** Address of Redis, such as redis://localhost:6379. Needs the package `ioredis`, version 5. */
  readonly redis: string
  /** Processes with the same name share the budget. */
  readonly name: string
}
