import type { CompareProgress } from '../compare/compare-containers.ts'
import type { OpenMoveContainer } from '../containers/open-container.ts'
import type { MoveStatus } from '../phases/move-status.ts'

/** How far a move is, and how fast. */
export interface MoveProgress {
  /** Documents of the first copy that are in the target, by all processes. A document that changed meanwhile counts again. */
  readonly copied: number
  /** Documents of the source when the process started; null if Cosmos DB did not tell. */
  readonly documents: number | null
  /** Writes in the container that is not in charge, by this process, on average over the last seconds. */
  readonly documentsPerSecond: number
  /** Time until all documents are copied; null if it is not known, and in other phases than `copy`. */
  readonly secondsLeft: number | null
  /** RU/s that this process uses, on average over the last seconds. */
  readonly ruPerSecond: Sides<number>
  /** RU/s that it may use: its share, or less after throttling; null if only throttling limits it, or before the first write. */
  readonly shareRuPerSecond: Sides<number | null>
  /** The comparison that runs; null if none does. */
  readonly comparison: Pick<CompareProgress, 'phase' | 'documents' | 'waiting'> | null
}

interface Sides<T> {
  readonly from: T
  readonly to: T
}

interface Sample {
  readonly atMs: number
  readonly stored: number
  readonly written: number
  readonly ru: Sides<number>
}

const WINDOW_MS = 20_000
/** Rates over a shorter time say little. */
const MIN_WINDOW_MS = 2000

/** Measures how far a move is, and how fast. */
export class ProgressMeter {
  /** Documents of the source; null if they are not known. */
  documents: number | null = null
  readonly #from: Container
  readonly #to: Container
  #samples: readonly Sample[] = []
  /** Documents that were copied when this process began. */
  #before: number | undefined

  constructor(from: Container, to: Container) {
    this.#from = from
    this.#to = to
  }

  /** Must be called about twice a second. */
  look(copy: MoveStatus['copy'], nowMs: number): void {
    const counts = copy?.counts ?? { stored: 0, deleted: 0 }
    if (copy !== undefined) this.#before ??= copiedIn(copy)
    const sample = {
      atMs: nowMs,
      stored: counts.stored,
      written: counts.stored + counts.deleted,
      ru: { from: chargeOf(this.#from), to: chargeOf(this.#to) }
    }
    // each direction counts on its own
    const last = this.#samples.at(-1)
    const isContinued = last === undefined || sample.written >= last.written
    const kept = isContinued ? this.#samples.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS) : []
    this.#samples = [...kept, sample]
  }

  progress({ phase, copy }: Pick<MoveStatus, 'phase' | 'copy'>, comparison: MoveProgress['comparison']): MoveProgress {
    const copied = this.#copied(phase, copy)
    const rateOf = this.#rates()
    const perSecond = rateOf(({ stored }) => stored)
    const left = this.documents === null ? undefined : Math.max(0, this.documents - copied)
    return {
      copied,
      documents: this.documents,
      documentsPerSecond: rateOf(({ written }) => written),
      secondsLeft: phase === 'copy' && left !== undefined && perSecond > 0 ? left / perSecond : null,
      ruPerSecond: { from: rateOf(({ ru }) => ru.from), to: rateOf(({ ru }) => ru.to) },
      shareRuPerSecond: { from: shareOf(this.#from), to: shareOf(this.#to) },
      comparison
    }
  }

  /** Positions are those of whole pages, so they change seldom if there is little throughput. */
  #copied(phase: MoveStatus['phase'], copy: MoveStatus['copy']): number {
    const settled = copiedIn(copy)
    if (phase !== 'copy' || copy === undefined) return settled
    const stored = (this.#before ?? 0) + copy.counts.stored
    return Math.max(settled, Math.min(stored, this.documents ?? stored))
  }

  #rates(): (count: (sample: Sample) => number) => number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (first === undefined || last === undefined || last.atMs - first.atMs < MIN_WINDOW_MS) return () => 0
    return (count) => ((count(last) - count(first)) * 1000) / (last.atMs - first.atMs)
  }
}

type Container = Pick<OpenMoveContainer, 'stats'>

function copiedIn(copy: MoveStatus['copy']): number {
  return copy?.ranges.reduce((sum, { documents }) => sum + documents, 0) ?? 0
}

/** RU of all requests to a container so far. */
export function chargeOf(container: Container): number {
  const { reads, writes } = container.stats()
  return reads.chargeRu + (writes?.chargedRu ?? 0)
}

/** Answers of a container with the status 429 so far. */
export function throttledOf(container: Container): number {
  const { reads, writes } = container.stats()
  return reads.throttled + (writes?.throttledOperations ?? 0)
}

/** Reads and writes have the same share of a container; a writer notices a new throughput sooner. */
function shareOf(container: Container): number | null {
  const { reads, writes } = container.stats()
  return writes?.budgetRuPerSecond ?? reads.ruPerSecond ?? null
}
