import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseObject } from './control-request.ts'
import { invalidJournal } from './journal-error.ts'
import type { Journal, JournalState, Phase } from './journal.ts'

/** Phases after which a copy in the former direction would replace newer documents. */
const AFTER_A_SWITCH: readonly unknown[] = ['switch', 'reverse', 'back', 'finished'] satisfies readonly Phase[]

/**
 * Throws JOURNAL_INVALID if the last status in the folder is of a later phase than the journal: the journal was cut, or
 * replaced by an older copy. `from`, `to`: names of the containers; the status of another move says nothing.
 */
export async function checkNotOlder(
  folder: string,
  { phaseAt = '' }: Pick<JournalState, 'phaseAt'>,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<void> {
  // a status that is absent or damaged says nothing
  const text = await readFile(join(folder, 'status.json'), 'utf8').catch(() => '')
  const status = parseObject(text) ?? {}
  const { phase, phaseAt: statusAt } = status
  if (status['from'] !== from || status['to'] !== to || !AFTER_A_SWITCH.includes(phase)) return
  if (typeof statusAt !== 'string' || statusAt <= phaseAt) return
  throw invalidJournal(
    `The journal in ${folder} ends before the phase ${String(phase)}, which began at ${statusAt} according to status.json: it was cut, or replaced by an older copy. ` +
      `A move that continued from there could replace newer documents. Restore the newest copy of the folder; or, if the journal is right, remove status.json.`
  )
}

/** Appends a phase. Its time is later than that of the phase before, also after the clock was set back. */
export async function enterPhase(
  { journal, wallMs }: { readonly journal: Journal; readonly wallMs: () => number },
  phase: Phase
): Promise<void> {
  const { phaseAt } = journal.state()
  const atMs = phaseAt === undefined ? wallMs() : Math.max(wallMs(), Date.parse(phaseAt) + 1)
  await journal.append({ type: 'phase', phase, at: new Date(atMs).toISOString() })
  await journal.sync()
}

/** Returns a function that passes a status on after the disk has the phase that it shows. */
export function afterJournal<Status extends Pick<JournalState, 'phaseAt'>>(
  journal: Pick<Journal, 'sync'>,
  setStatus: (status: Status) => void
): (status: Status) => Promise<void> {
  let shown: string | undefined
  return async (status) => {
    if (status.phaseAt !== shown) await journal.sync()
    shown = status.phaseAt
    setStatus(status)
  }
}
