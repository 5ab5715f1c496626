import type { CompareProgress, OpenMoveContainer } from '@keystamp/move'
import { formatCount, formatDuration } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'

/** Shows on standard error what a comparison does, and what it waits for. */
export interface VerifyProgress {
  readonly show: (progress: CompareProgress) => void
  readonly stop: () => void
}

interface ProgressOptions {
  readonly containers: readonly Pick<OpenMoveContainer, 'name' | 'stats'>[]
  readonly settleMs: number
  readonly isQuiet: boolean
}

const TICK_MS = 500
/** A wait that is shorter is usual. */
const SHOWN_WAIT_MS = 5000
const REPEATED_MS = 10_000

/** Starts a progress line on a terminal; elsewhere only waits are shown, as lines. */
export function startVerifyProgress(
  { containers, settleMs, isQuiet }: ProgressOptions,
  { stderr }: Pick<Dependencies, 'stderr'>
): VerifyProgress {
  if (isQuiet) return { show: () => {}, stop: () => {} }
  const isTerminal = stderr.isTTY === true
  let current: CompareProgress | undefined
  let changedMs = Date.now()
  let saidMs = Number.NEGATIVE_INFINITY
  let isWaitSaid = false
  let shown = ''
  const timer = setInterval(tick, TICK_MS)

  function show(progress: CompareProgress): void {
    current = progress
    changedMs = Date.now()
    if (progress.phase !== 'settling' || isWaitSaid || isTerminal) return
    isWaitSaid = true
    stderr.write(`keystamp: ${describe(progress, settleMs)}\n`)
  }

  function tick(): void {
    sayWait()
    if (!isTerminal || current === undefined) return
    const text = describe(current, settleMs)
    // a line that wraps could not be cleared
    if (text !== shown) stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns ?? 80) - 1)}`)
    shown = text
  }

  /** Says that no answer arrives, and why. */
  function sayWait(): void {
    const nowMs = Date.now()
    if (current?.phase === 'settling' || nowMs - changedMs < SHOWN_WAIT_MS || nowMs - saidMs < REPEATED_MS) return
    saidMs = nowMs
    const reasons = containers.map(({ name, stats }) => {
      const { throttled, failed } = stats().reads
      return `${name}: ${formatCount(throttled)} throttled and ${formatCount(failed)} failed requests`
    })
    const since = new Date(changedMs).toISOString().slice(11, 19)
    stderr.write(
      `${isTerminal ? '\r\u001b[K' : ''}keystamp: waiting since ${since} UTC for documents (${reasons.join('; ')})\n`
    )
    shown = ''
  }

  return {
    show,
    stop: () => {
      clearInterval(timer)
      if (isTerminal && shown !== '') stderr.write('\r\u001b[K')
    }
  }
}

function describe(
  { phase, documents, group, groups, waiting, differences }: CompareProgress,
  settleMs: number
): string {
  const found = differences === 0 ? '' : `, ${formatCount(differences)} differences so far`
  if (phase === 'counting') return `reading both containers: ${formatCount(documents)} documents`
  const part = groups === 1 ? '' : ` (part ${group} of ${groups})`
  if (phase === 'opening') return `looking for the differences${part}: ${formatCount(documents)} documents${found}`
  const them = waiting === 1 ? '1 document differs' : `${formatCount(waiting)} documents differ`
  return `${them}${part}; waiting until they have not changed for ${formatDuration(settleMs / 1000)}${found}`
}
