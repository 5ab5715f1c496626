import type { Consumer } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'

export interface WritePermitOptions {
  readonly consumer: Pick<Consumer, 'lastHeartbeatMs' | 'sessionTimeoutMs'>
  readonly clock: Pick<Clock, 'now'>
  /** Whether no rebalance is under way, and the group has confirmed every partition that was kept. */
  readonly isConfirmed: () => boolean
}

/**
 * Write permit of the process. Withdrawn from the beginning of a rebalance until the kept partitions are confirmed, and once the last
 * heartbeat is older than the session: a process that stood still for longer has lost its partitions without a notice.
 */
export class WritePermit {
  readonly #options: WritePermitOptions

  constructor(options: WritePermitOptions) {
    this.#options = options
  }

  get isValid(): boolean {
    const { consumer, clock, isConfirmed } = this.#options
    return isConfirmed() && clock.now() - consumer.lastHeartbeatMs < consumer.sessionTimeoutMs
  }
}
