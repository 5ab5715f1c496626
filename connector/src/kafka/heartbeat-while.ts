import type { Clock } from '../lifecycle/clock.ts'

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'schedule'>
  readonly everyMs: number
  readonly heartbeat: () => Promise<void>
}

/**
 * Sends heartbeats until the promise is settled. kafkajs sends them only between fetches and after handlers, and the group drops a member
 * that waits longer than its session. Rejects with the error of a heartbeat.
 */
export function heartbeatWhile<Result>(waiting: Promise<Result>, options: HeartbeatOptions): Promise<Result> {
  const { clock, everyMs, heartbeat } = options
  return new Promise((resolve, reject) => {
    let isOver = false
    let cancel = clock.schedule(everyMs, () => void beat())
    waiting.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error))
    )

    async function beat(): Promise<void> {
      try {
        await heartbeat()
        if (!isOver) cancel = clock.schedule(everyMs, () => void beat())
      } catch (error) {
        end(() => reject(error))
      }
    }

    function end(settle: () => void): void {
      isOver = true
      cancel()
      settle()
    }
  })
}
