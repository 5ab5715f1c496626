import { KeystampError } from '@keystamp/core'
import type { Account } from '../client/account.ts'
import type { SystemClock } from '@keystamp/core/internal'

/** Share of the provisioned throughput that this writer may use: RU/s over all ranges, or a percentage. */
export type Share = number | `${number}%`

/** RU/s over all ranges; undefined where the throughput is not known. */
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
    '`usePart` takes a number above 0 and at most 1, such as 0.25 for a quarter of the share.'
  )
}

/** A warning about a number of RU/s that is so small that a percentage may be meant; undefined for other shares. */
export function smallShareWarning(share: Share): string | undefined {
  if (typeof share !== 'number' || share >= FEW_RU) return undefined
  // 0.5 means a half, 50 means 50 percent
  const percent = share <= 1 ? Number((share * 100).toPrecision(6)) : share
  return `\`share\` is ${share}, which means ${share} RU/s. For ${percent} percent of the throughput write \`share: "${percent}%"\`.`
}

// a quarter of the throughput of the smallest container
const FEW_RU = 100

/** Throughput that the writer may use over all ranges. */
export interface Throughput {
  readonly ruPerSecond: number | undefined
  /** Uses only this part of it from now on. */
  readonly usePart: (part: number) => void
  /** Why the throughput is not known; undefined where it is. */
  readonly unknown: string | undefined
  /** Reads the throughput again in intervals, and calls back when it has changed. */
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
  let unknown: string | undefined
  let part = 1
  let cancel: (() => void) | undefined
  let isStopped = false

  async function look(): Promise<void> {
    const offer = await account.offer()
    unknown = 'unknown' in offer ? offer.unknown : undefined
    ruPerSecond = 'unknown' in offer ? undefined : ruPerSecondOf(share, offer.ruPerSecond)
  }

  function follow(onChange: () => void): void {
    if (isStopped || typeof share === 'number') return
    cancel = clock.scheduleIdly(everyMs, () => {
      const before = ruPerSecond
      const goOn = (): void => {
        if (before !== ruPerSecond && !isStopped) onChange()
        follow(onChange)
      }
      // a failed read does not change the throughput
      look().then(goOn, goOn)
    })
  }

  if (typeof share === 'number') ruPerSecond = share
  else await look()
  return {
    follow,
    get ruPerSecond() {
      return ruPerSecond === undefined ? undefined : ruPerSecond * part
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
