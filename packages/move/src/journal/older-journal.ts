import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseObject } from './control-request.ts'
import { invalidJournal } from './journal-error.ts'
import type { JournalState, Phase } from './journal.ts'

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
