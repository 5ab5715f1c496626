import type { Journal, JournalEntry } from './journal.ts'
import { JournalReduction } from './journal-state.ts'

/** A moment at which a process can end: before or after the entry, or the sync, has its effect. */
export type JournalMoment = 'append' | 'appended' | 'sync' | 'synced'

/** A journal in memory, which tests cut at any moment. */
export interface MemoryJournal extends Journal {
  /** Entries that survive the end of the process. */
  readonly entries: readonly JournalEntry[]
  /** Entries that survive a power failure. */
  readonly syncedEntries: readonly JournalEntry[]
}

export interface MemoryJournalOptions {
  /** Entries of an earlier journal. */
  readonly entries?: readonly JournalEntry[]
  /** Called at each moment. If it throws, the journal is cut: this call and all later ones reject with that error. */
  readonly onMoment?: (moment: JournalMoment) => void
}

/** Creates a journal in memory with the same rules for entries as the one in a folder. */
export function createMemoryJournal({ entries = [], onMoment }: MemoryJournalOptions = {}): MemoryJournal {
  const reduction = new JournalReduction()
  for (const entry of entries) reduction.apply(entry)
  const written = [...entries]
  let synced = written.length
  let failure: { readonly error: unknown } | undefined

  function pass(moment: JournalMoment): void {
    if (failure !== undefined) throw failure.error
    try {
      onMoment?.(moment)
    } catch (error) {
      failure = { error }
      throw error
    }
  }

  return {
    get entries() {
      return [...written]
    },
    get syncedEntries() {
      return written.slice(0, synced)
    },
    state: () => reduction.state,
    append: async (entry) => {
      pass('append')
      reduction.apply(entry)
      written.push(entry)
      pass('appended')
    },
    sync: async () => {
      pass('sync')
      synced = written.length
      pass('synced')
    },
    close: async () => {
      failure ??= { error: new Error('The journal is closed.') }
    }
  }
}
