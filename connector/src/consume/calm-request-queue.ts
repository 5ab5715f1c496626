import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

/** What is used here of a request queue of kafkajs: there is one a connection. */
interface Queue {
  readonly pending: readonly unknown[]
  readonly throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  readonly checkPendingRequests: () => void
}

/**
 * Lets a queue in which nothing waits wait itself. In 2.2.4, the last version, each connection looks a thousand times a second whether
 * a throttled request may be sent, also where there is none: 3 % of a processor for a consumer that does nothing, and, since the time to
 * wait is negative, a warning of Node from version 24 on.
 */
export function calmRequestQueue(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = schedule
}

function schedule(this: Queue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
  const ms = Math.max(LOOK_AGAIN_MS, this.throttledUntil - Date.now())
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null
    this.checkPendingRequests()
  }, ms)
}

const LOOK_AGAIN_MS = 10
