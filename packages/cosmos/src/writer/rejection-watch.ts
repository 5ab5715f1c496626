import { inspect } from 'node:util'
import type { Outcome, Rejected } from '../dispatch/outcome.ts'

/** Tracks rejected outcomes that the program has not read. */
export interface RejectionWatch {
  /** Returns a rejected outcome as a copy that records when it is read. Returns any other outcome unchanged. */
  readonly watch: (outcome: Outcome) => Outcome
  /** Like `watch`, for the outcomes of an atomic batch: reading one of them counts for all. */
  readonly watchAll: (outcomes: readonly Outcome[]) => readonly Outcome[]
  /**
   * Warns about rejected outcomes that were not read. Called once, when the writer is closed. If the writer is not
   * closed, the warning comes at the end of the process.
   */
  readonly warn: () => void
}

/** Watches the outcomes of one writer. `container` is the name of its container, for the warning. */
export function createRejectionWatch(
  container: string,
  emitWarning: (warning: string) => void = emitProcessWarning
): RejectionWatch {
  let unread = 0
  let first: Rejected | undefined

  function watchAll(outcomes: readonly Outcome[]): readonly Outcome[] {
    const rejections = outcomes.filter((outcome) => outcome.kind === 'rejected')
    if (rejections.length === 0) return outcomes
    unread += rejections.length
    warnAtExit(warnSynchronously)
    first ??= rejections.find(({ code }) => code !== 'BATCH_FAILED') ?? rejections[0]
    let isRead = false
    const onRead = (): void => {
      if (!isRead) unread -= rejections.length
      isRead = true
    }
    return outcomes.map((outcome) => (outcome.kind === 'rejected' ? watched(outcome, onRead) : outcome))
  }

  function warn(emit: (warning: string) => void = emitWarning): void {
    stopWarningAtExit(warnSynchronously)
    if (unread === 0 || first === undefined) return
    const records = unread === 1 ? '1 record was' : `${unread} records were`
    emit(
      `${records} rejected and not stored in ${container}, and the outcomes were not read. The first one: ${first.code}. ${first.message} ` +
        'Check the `kind` of each outcome of `write`, or use `upsert`, which throws.'
    )
  }

  function warnSynchronously(): void {
    warn(emitWarningAtExit)
  }

  return { watch: (outcome) => watchAll([outcome])[0], watchAll, warn: () => warn() }
}

function emitProcessWarning(warning: string): void {
  process.emitWarning(warning, { type: 'KeystampWarning', code: 'KEYSTAMP_REJECTED' })
}

/** Emits a warning synchronously: `process.emitWarning` needs another tick, and there is none after `exit`. */
function emitWarningAtExit(text: string): void {
  const warning = Object.assign(new Error(text), { name: 'KeystampWarning', code: 'KEYSTAMP_REJECTED' })
  process.emit('warning', warning)
}

/** Callbacks of open writers that have returned rejected outcomes. */
const open = new Set<() => void>()

// one listener for all writers, because Node warns about more than ten listeners
function warnAtExit(warn: () => void): void {
  if (open.size === 0) process.on('exit', warnOfAll)
  open.add(warn)
}

function stopWarningAtExit(warn: () => void): void {
  if (open.delete(warn) && open.size === 0) process.off('exit', warnOfAll)
}

function warnOfAll(): void {
  for (const warn of open) warn()
}

/** Creates a copy that calls `onRead` when its properties are read. */
function watched(outcome: Rejected, onRead: () => void): Rejected {
  const { kind, code, message, ...others } = outcome
  const copy = {
    get kind() {
      onRead()
      return kind
    },
    get code() {
      onRead()
      return code
    },
    get message() {
      onRead()
      return message
    },
    ...others
  }
  const print = (): Rejected => {
    onRead()
    return outcome
  }
  // makes the console print the plain object instead of the getters
  return Object.defineProperty(copy, inspect.custom, { value: print })
}
