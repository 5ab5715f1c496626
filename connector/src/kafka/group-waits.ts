import type { Consumer } from './consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'

export interface KafkaWaitsOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly consumer: Pick<Consumer, 'lastHeartbeatMs' | 'sessionTimeoutMs'>
  readonly isRebalancing: () => boolean
  /** Whether this sink belongs to its group, or may belong to it again after a rebalance. */
  readonly isMember: () => boolean
  readonly isJoining: () => boolean
  /** When offsets or claims were stored the last time. */
  readonly storedMs: () => number
  /** Whether offsets or claims are still to be stored. */
  readonly isStoring: () => boolean
}

/** Reports waits for the consumer group: for a join, a rebalance, a heartbeat, or a commit. */
export interface KafkaWaits {
  readonly waits: readonly Wait[]
  /** A commit of offsets or claims failed; it is retried. */
  readonly failed: (error: Error) => void
}

export function createKafkaWaits(options: KafkaWaitsOptions): KafkaWaits {
  const { clock, consumer, isRebalancing, isMember, isJoining, storedMs, isStoring } = options
  let failure: { readonly message: string; readonly sinceMs: number } | undefined

  function membership(): Wait | undefined {
    if (isJoining()) return { reason: 'kafka', subject: 'group', detail: 'joining the consumer group' }
    if (!isMember()) return undefined
    if (isRebalancing()) return { reason: 'kafka', subject: 'group', detail: 'a rebalance of the consumer group' }
    const silentMs = clock.now() - consumer.lastHeartbeatMs
    if (silentMs < consumer.sessionTimeoutMs * LATE_SHARE) return undefined
    const detail = `no heartbeat was answered for ${Math.round(silentMs / 1000)} s`
    return { reason: 'kafka', subject: 'heartbeat', detail, sinceMs: consumer.lastHeartbeatMs }
  }

  function storing(): Wait | undefined {
    if (failure !== undefined && (storedMs() > failure.sinceMs || !isStoring())) failure = undefined
    if (failure === undefined) return undefined
    const detail = `offset commit failed, retrying: ${failure.message.replace(/\.$/, '')}`
    return { reason: 'kafka', subject: 'commit', detail, sinceMs: failure.sinceMs }
  }

  return {
    get waits() {
      return [membership(), storing()].filter((wait) => wait !== undefined)
    },
    failed: ({ message }) => {
      failure = { message, sinceMs: failure?.sinceMs ?? clock.now() }
    }
  }
}

/** Fraction of the session timeout after which a missing heartbeat counts as a wait. */
const LATE_SHARE = 0.5
