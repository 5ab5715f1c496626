import { KeystampError } from '@keystamp/core'
import type { Clock } from '@keystamp/core/internal'
import type { OpenMoveContainer } from '../containers/open-container.ts'
import type { Direction, RangePosition } from '../journal/journal.ts'
import type { MoveStatus } from '../phases/move-status.ts'
import { GATHERING, POSTPONED } from '../phases/turn.ts'
import { type MoveProgress, ProgressMeter } from './move-progress.ts'
import { MoveWaits, type MoveWait, type WaitFacts } from './move-waits.ts'
import { ThroughputUse } from './throughput-use.ts'
import { type VersionsAge, versionsAgeOf, versionsWarning } from './versions-age.ts'

/** The part of the status of a move that is noticed from outside, in addition to its phases. */
export interface WatchedStatus {
  /**
   * How deletes in the container in charge are seen; `expired`: by comparisons, since the feed was not on when the copy
   * began, or the move stood still for longer than its retention.
   */
  readonly deletes: 'feed' | 'compare' | 'expired'
  /** How far the feed of all versions and deletes was read; null if it is not read. */
  readonly versions: VersionsAge | null
  /** Current waits of the move. */
  readonly waits: readonly MoveWait[]
  /** Sentences about what will need a decision of a person. */
  readonly warnings: readonly string[]
  readonly progress: MoveProgress
}

export interface StatusWatchOptions {
  readonly from: OpenMoveContainer
  readonly to: OpenMoveContainer
  readonly status: () => MoveStatus
  /** The saved positions. */
  readonly positions: (direction: Direction) => readonly RangePosition[]
  /** Whether the feed of all versions and deletes is read, by direction. */
  readonly readsVersions: Readonly<Record<Direction, boolean>>
  readonly clock: Pick<Clock, 'now'>
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  /** Called with sentences about waits. */
  readonly onWait: (sentence: string) => void
  /** The comparison that runs. */
  readonly comparison: () => MoveProgress['comparison']
  readonly onWarning: (warning: Error) => void
}

/** Notices what a move waits for, and what it will need. */
export class StatusWatch {
  readonly #options: StatusWatchOptions
  readonly #waits: MoveWaits
  readonly #meter: ProgressMeter
  readonly #use: Readonly<Record<'source' | 'target', ThroughputUse>>
  #warned: string | undefined

  constructor(options: StatusWatchOptions) {
    const { from, to, clock, wallMs, onWait } = options
    this.#options = options
    this.#waits = new MoveWaits({ clock, wallMs, onWait })
    this.#meter = new ProgressMeter(from, to)
    this.#use = { source: new ThroughputUse(from), target: new ThroughputUse(to) }
  }

  /** The direction in which changes are copied. */
  get direction(): Direction {
    return directionOf(this.#options.status())
  }

  /** The saved positions of this direction. */
  get positions(): readonly RangePosition[] {
    return this.#options.positions(this.direction)
  }

  /** Number of documents in the source. */
  setDocuments(documents: number | null): void {
    this.#meter.documents = documents
  }

  /** Must be called about twice a second. */
  look(): void {
    const { from, to, status, clock, wallMs, onWarning } = this.#options
    const { phase, copy, lagSeconds, step } = status()
    const nowMs = clock.now()
    this.#meter.look(copy, nowMs)
    this.#waits.look({
      source: from,
      target: to,
      limits: { source: this.#use.source.look(nowMs), target: this.#use.target.look(nowMs) },
      lagSeconds: phase === 'copy' ? undefined : lagSeconds,
      pausedFor: copy?.pausedFor,
      stepWait: stepWaitOf(step)
    })
    const warning = versionsWarning(this.#versions(), phase, wallMs())
    // the times in it change all the time
    if (warning !== undefined && this.#warned === undefined) onWarning(new KeystampError('OFFSETS_LOST', warning))
    this.#warned = warning
  }

  status(): WatchedStatus {
    const { status, comparison, wallMs } = this.#options
    const versions = this.#versions()
    const { phase, copy } = status()
    const warning = versionsWarning(versions, phase, wallMs())
    return {
      deletes: this.#deletes(),
      versions: versions ?? null,
      waits: this.#waits.current,
      warnings: warning === undefined ? [] : [warning],
      progress: this.#meter.progress({ phase, copy }, comparison())
    }
  }

  #deletes(): WatchedStatus['deletes'] {
    if (!this.#options.readsVersions[this.direction]) return 'compare'
    return this.positions.some(({ versions }) => versions === null) ? 'expired' : 'feed'
  }

  #versions(): VersionsAge | undefined {
    const { from, to } = this.#options
    const { definition } = this.direction === 'forward' ? from : to
    return versionsAgeOf(this.positions, definition.versionsRetentionMinutes)
  }
}

function directionOf({ phase }: MoveStatus): Direction {
  return phase === 'reverse' || phase === 'back' || phase === 'finished' ? 'back' : 'forward'
}

function stepWaitOf(step: string): WaitFacts['stepWait'] {
  if (step === POSTPONED) return { reason: 'postpone', detail: 'the file `postpone` exists' }
  if (step === GATHERING) return { reason: 'processes', detail: 'the other processes have not stopped their copy yet' }
  return undefined
}
