import type { ThrottledRange, ThrottleReason } from '@keystamp/cosmos'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'

/** Dependencies of the log of throttling. */
interface ThrottleLogOptions {
  readonly container: string
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly clock: Pick<Clock, 'now'>
}

const REPEAT_MS = 60_000

/** Logs why physical partitions of a container are throttled: each partition with each reason once a minute. */
export function createThrottleLog({ container, log, clock }: ThrottleLogOptions): (throttled: ThrottledRange) => void {
  const loggedMs = new Map<string, number>()
  return ({ range, reason, heaviestKey, explanation }) => {
    const name = `${reason} ${range}`
    const nowMs = clock.now()
    if (nowMs - (loggedMs.get(name) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
    loggedMs.set(name, nowMs)
    const key = heaviestKey === undefined ? {} : { keyHash: heaviestKey.hash, keyShare: rounded(heaviestKey.share) }
    log[LEVELS[reason]]({ container, range, reason, ...key }, `throttled: ${explanation}`)
  }
}

// an even load that uses all RU/s is throttled now and then; an uneven one cannot use them
const LEVELS: Readonly<Record<ThrottleReason, 'info' | 'warn'>> = {
  'hot-key': 'warn',
  'many-keys-in-one-range': 'warn',
  'container-full': 'info',
  'other-clients': 'info'
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100
}
