import type { Consumer } from '../consume/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'

/**
 * Whether what is sent now still is ours to send. A process that was stopped for longer than its session has lost its partitions without
 * hearing of it, and while the group is divided what is on its way has time to land before somebody else begins.
 */
export class LeaveToSend {
  readonly #consumer: Pick<Consumer, 'lastHeartbeatMs' | 'sessionTimeoutMs'>
  readonly #clock: Pick<Clock, 'now'>
  /** Between the moment in which partitions may move and the one in which they have. */
  isDividing = false

  constructor(consumer: Pick<Consumer, 'lastHeartbeatMs' | 'sessionTimeoutMs'>, clock: Pick<Clock, 'now'>) {
    this.#consumer = consumer
    this.#clock = clock
  }

  get isGiven(): boolean {
    return !this.isDividing && this.#clock.now() - this.#consumer.lastHeartbeatMs < this.#consumer.sessionTimeoutMs
  }
}
