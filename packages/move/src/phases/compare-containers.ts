import type { MoveCopy } from '../copy/move-copy.ts'
import type { Identity } from '../documents/identity.ts'
import type { Direction, Journal } from '../journal/journal.ts'
import type { StragglerWatch } from './straggler-watch.ts'

/** A document that the containers do not agree on. */
export interface Disagreement {
  /** Identity in the container that is in charge. */
  readonly identity: Identity
  /** Places in the other container at which copies were found. */
  readonly places: readonly Identity[]
}

export interface Comparison {
  readonly isEqual: boolean
  readonly disagreements: readonly Disagreement[]
  /** Documents of which the comparison cannot tell anything. */
  readonly unsettled: number
  /** False if the comparison ended early, so that it says nothing about the rest. Default: true. */
  readonly isComplete?: boolean
  /**
   * Reads the documents of the disagreements again, after they were copied again. Resolves with those that still
   * disagree although the container in charge has not changed them since. Default: all of them.
   */
  readonly remaining?: () => Promise<readonly Disagreement[]>
}

/**
 * Compares the container that is in charge with its copy. Differences that only the lag causes are not reported.
 * `isFrozen`: no application writes, so every document can be told.
 */
export type CompareContainers = (signal: AbortSignal, isFrozen: boolean) => Promise<Comparison>

/**
 * Returns a function that removes documents from the rejected ones of the journal: those that were rejected before a
 * comparison which does not report them. They were deleted, or the process ended before the journal had their copy. A
 * comparison that cannot tell some documents removes none.
 */
export function forgetRejected(
  journal: Journal,
  direction: Direction,
  hashOf: (identity: Identity) => string
): (compared: Comparison) => Promise<void> {
  const before = [...journal.state().rejected[direction].keys()]
  return async ({ disagreements, unsettled }) => {
    if (unsettled > 0) return
    const reported = new Set(disagreements.map(({ identity }) => hashOf(identity)))
    for (const document of before) {
      if (!reported.has(document) && journal.state().rejected[direction].has(document))
        await journal.append({ type: 'rejected', direction, document, code: null })
    }
  }
}

/** Tells which changes others have made in the container that is not in charge. */
export type Watch = Pick<StragglerWatch, 'judge' | 'isForeign'>

/** The disagreements about documents that only the move has written: the writes of others must not be lost. */
export async function withoutForeign(
  disagreements: readonly Disagreement[],
  watch: Watch | undefined,
  signal: AbortSignal
): Promise<readonly Disagreement[]> {
  if (watch === undefined) return disagreements
  await watch.judge(
    disagreements.flatMap(({ places }) => places),
    signal
  )
  return disagreements.filter((each) => !isForeign(each, watch))
}

function isForeign({ places }: Disagreement, watch: Watch | undefined): boolean {
  return places.some((place) => watch?.isForeign(place) === true)
}

export interface RepairOptions {
  readonly compare: CompareContainers
  readonly direction: Direction
  readonly journal: Journal
  readonly hashOf: (identity: Identity) => string
  readonly wallMs: () => number
  readonly copier: Pick<MoveCopy, 'reconcile' | 'reconciled'>
  /** Undefined while the source is in charge: only the move writes to the target then. */
  readonly watch: Watch | undefined
  readonly signal: AbortSignal
  readonly onStep: (sentence: string) => void
}

/**
 * Compares the containers, has the differences copied again, reads them once more, and writes the result to the journal.
 * Without remaining differences, each document whose last change was before the comparison began is copied, as if the
 * comparison had found none: it was equal, or was copied again and found equal. Documents that have changed since are
 * left to the copy, so an application that deletes all the time cannot prevent this.
 */
export async function compareAndRepair(options: RepairOptions): Promise<{ readonly isEqual: boolean }> {
  const { compare, direction, journal, hashOf, wallMs, watch, signal } = options
  const at = new Date(wallMs()).toISOString()
  const forget = forgetRejected(journal, direction, hashOf)
  const found = await compare(signal, false)
  const { disagreements } = found
  const repairable = await withoutForeign(disagreements, watch, signal)
  const remaining = repairable.length === 0 ? disagreements : await repair(found, repairable, options)
  const ofOthers = remaining.filter((each) => isForeign(each, watch)).length
  // documents that change all the time are compared at the switch
  const isEqual = remaining.length === 0 && found.isComplete !== false
  const differences = isEqual ? disagreements.length : Math.max(1, remaining.length)
  await journal.append({ type: 'compared', at, isEqual, differences, ...(ofOthers === 0 ? {} : { ofOthers }) })
  await forget(found)
  return { isEqual }
}

/** Has documents copied again, and returns the disagreements that remain. */
async function repair(
  { disagreements, remaining }: Comparison,
  repairable: readonly Disagreement[],
  { copier, onStep }: Pick<RepairOptions, 'copier' | 'onStep'>
): Promise<readonly Disagreement[]> {
  onStep(`copying ${repairable.length} differing documents again`)
  for (const { identity, places } of repairable) copier.reconcile(identity, places)
  await copier.reconciled()
  if (remaining === undefined) return disagreements
  onStep('reading these documents again')
  return remaining()
}
