import { KeystampError } from '@keystamp/core'
import type {
  BeginEntry,
  ComparedEntry,
  Direction,
  HookEntry,
  JournalEntry,
  JournalState,
  Phase,
  PhaseEntry,
  RangePosition,
  RejectedEntry
} from './journal.ts'
import { replacePositions } from './range-positions.ts'

/** The sum of the entries of a journal. Without clock or files: the same entries give the same state. */
export class JournalReduction {
  #begin: BeginEntry | undefined = undefined
  readonly #phases: PhaseEntry[] = []
  #compared: ComparedEntry | undefined = undefined
  #hook: HookEntry | undefined = undefined
  readonly #ranges: Record<Direction, readonly RangePosition[]> = { forward: [], back: [] }
  // changed in place, because there may be very many
  readonly #rejected: Record<Direction, Map<string, string>> = { forward: new Map(), back: new Map() }

  /** The maps in the state change with later entries; all else stays as it is. */
  get state(): JournalState {
    const last = this.#phases.at(-1)
    return {
      begin: this.#begin,
      phase: last?.phase ?? 'copy',
      phaseAt: last?.at ?? this.#begin?.at,
      isHookBegun: this.#hook !== undefined && this.#hook.hook !== 'canceled',
      ranges: { ...this.#ranges },
      rejected: { ...this.#rejected },
      compared: this.#compared
    }
  }

  /** Throws INVARIANT_BROKEN, and changes nothing, if the entry may not follow the entries before it. */
  apply(entry: JournalEntry): void {
    if (entry.type === 'begin') {
      if (this.#begin !== undefined) throw broken('it has its first entry already')
      this.#begin = entry
      return
    }
    if (this.#begin === undefined) throw broken(`an entry of the type ${entry.type} is not the first`)
    switch (entry.type) {
      case 'ranges':
        this.#ranges[entry.direction] = replacePositions(this.#ranges[entry.direction], entry.ranges)
        return
      case 'phase':
        this.#enter(entry)
        return
      case 'hook':
        this.#hook = entry
        return
      case 'compared':
        this.#compared = entry
        return
      case 'rejected':
        this.#reject(entry)
    }
  }

  /** The shortest list of entries with the same sum; the phases keep their times. */
  *entries(): Generator<JournalEntry> {
    if (this.#begin === undefined) return
    yield this.#begin
    yield* this.#phases
    for (const direction of DIRECTIONS) {
      const ranges = this.#ranges[direction]
      if (ranges.length > 0) yield { type: 'ranges', direction, ranges }
      for (const [document, code] of this.#rejected[direction]) yield { type: 'rejected', direction, document, code }
    }
    if (this.#compared !== undefined) yield this.#compared
    if (this.#hook !== undefined) yield this.#hook
  }

  #enter(entry: PhaseEntry): void {
    const before = this.#phases.at(-1)?.phase ?? 'copy'
    if (!NEXT_PHASES[before].includes(entry.phase))
      throw broken(`the phase ${entry.phase} cannot follow the phase ${before}`)
    // a switch that was called off ends before it began, so the list does not grow with every try
    if (entry.phase === 'follow' || entry.phase === 'reverse') this.#forget(entry.phase)
    this.#phases.push(entry)
    this.#hook = undefined
  }

  #forget(phase: Phase): void {
    const index = this.#phases.findIndex((each) => each.phase === phase)
    if (index >= 0) this.#phases.length = index
  }

  #reject({ direction, document, code }: RejectedEntry): void {
    if (code === null) this.#rejected[direction].delete(document)
    else this.#rejected[direction].set(document, code)
  }
}

const DIRECTIONS: readonly Direction[] = ['forward', 'back']

/** The phases that may follow each phase. A switch, or a way back, that is called off returns to the phase before. */
const NEXT_PHASES: Readonly<Record<Phase, readonly Phase[]>> = {
  copy: ['follow', 'aborted'],
  follow: ['switch', 'aborted'],
  switch: ['follow', 'reverse'],
  reverse: ['back', 'finished'],
  back: ['reverse', 'follow'],
  finished: [],
  aborted: []
}

function broken(what: string): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', `The journal of a move refuses an entry: ${what}.`)
}
