import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import type { Answer } from './target.ts'

interface KeptTwinsOptions {
  readonly container: string
  readonly log: Pick<Log, 'warn'>
  readonly clock: Pick<Clock, 'now'>
}

const REPEAT_MS = 60_000

/**
 * Logs, at most once a minute, the number of documents under old keys that were kept because another client had changed
 * them. Returns a function that sees each answer.
 */
export function createKeptTwinsLog({ container, log, clock }: KeptTwinsOptions): (answer: Answer) => void {
  let kept = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return (answer) => {
    if (answer instanceof Error || answer.kind !== 'written' || answer.twin !== 'changed') return
    kept++
    const nowMs = clock.now()
    if (nowMs - loggedMs < REPEAT_MS) return
    loggedMs = nowMs
    log.warn(
      { container, kept },
      'old twin kept: another client changed the document under the old key while the sink stored it under the new one; both exist now'
    )
  }
}
