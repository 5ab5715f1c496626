import { isKeystampError, type KeystampError } from '@keystamp/core'
import { type Clock, waitFor } from '../lifecycle/clock.ts'

export interface TopicWatchOptions {
  readonly clock: Clock
  readonly everyMs: number
  /** Throws TOPIC_MISSING where one is not there any more. */
  readonly find: () => Promise<readonly string[]>
  readonly onFound: (topics: readonly string[]) => void
  readonly onMissing: (error: Error) => void
}

/** Looks for the topics again and again: kafkajs resolves a pattern once, and tries for ever to read a topic that was deleted. */
export interface TopicWatch {
  /** Looks now: there is a reason to. */
  readonly look: () => void
  readonly stop: () => void
}

export function watchTopics({ clock, everyMs, find, onFound, onMissing }: TopicWatchOptions): TopicWatch {
  let isLooking = false
  let isStopped = false
  let cancel = clock.schedule(everyMs, look)
  return { look, stop }

  function look(): void {
    if (isLooking || isStopped) return
    isLooking = true
    cancel()
    void tell().finally(() => {
      isLooking = false
      if (!isStopped) cancel = clock.schedule(everyMs, look)
    })
  }

  async function tell(): Promise<void> {
    try {
      const found = await findSurely(find, clock)
      if (!isStopped) onFound(found)
    } catch (error) {
      // where there was no answer the next time will do
      if (isMissing(error) && !isStopped) onMissing(error)
    }
  }

  function stop(): void {
    isStopped = true
    cancel()
  }
}

/** Looks a second time before a topic is said to be missing: a broker that has just started does not know all of them yet. */
export async function findSurely(find: () => Promise<readonly string[]>, clock: Clock): Promise<readonly string[]> {
  try {
    return await find()
  } catch (error) {
    if (!isMissing(error)) throw error
    await waitFor(LOOK_AGAIN_MS, clock)
    return find()
  }
}

const LOOK_AGAIN_MS = 1000

function isMissing(error: unknown): error is KeystampError {
  return isKeystampError(error) && error.code === 'TOPIC_MISSING'
}
