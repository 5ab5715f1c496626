import { isKeystampError } from '@keystamp/core'
import type { Clock } from '../lifecycle/clock.ts'

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
    void lookTwice().finally(() => {
      isLooking = false
      if (!isStopped) cancel = clock.schedule(everyMs, look)
    })
  }

  async function lookTwice(): Promise<void> {
    const first = await tryFind()
    // a broker that has just started does not know all topics yet
    if (isMissing(first)) await new Promise<void>((resolve) => void clock.schedule(LOOK_AGAIN_MS, resolve))
    const found = isMissing(first) ? await tryFind() : first
    if (isStopped || found === undefined) return
    if (isMissing(found)) onMissing(found)
    else onFound(found)
  }

  /** Undefined where there was no answer: then the next time will do. */
  async function tryFind(): Promise<readonly string[] | Error | undefined> {
    try {
      return await find()
    } catch (error) {
      return isKeystampError(error) && error.code === 'TOPIC_MISSING' ? error : undefined
    }
  }

  function stop(): void {
    isStopped = true
    cancel()
  }
}

const LOOK_AGAIN_MS = 1000

function isMissing(found: readonly string[] | Error | undefined): found is Error {
  return found instanceof Error
}
