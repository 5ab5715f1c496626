import type { Clock } from '@keystamp/core/internal'
import { beginCopy } from '../copy/begin-copy.ts'
import type { CopierOptions } from '../copy/copier.ts'
import type { MoveCopy } from '../copy/move-copy.ts'
import type { Direction, Journal, Phase } from '../journal/journal.ts'
import { enterPhase } from '../journal/older-journal.ts'
import { MarkerSweep } from '../markers/marker-sweep.ts'
import { type CompareContainers, type Comparison, type Watch, withoutForeign } from './compare-containers.ts'
import { checkGates, DEFAULT_GATES, type Gate, type GateLimits, othersSentence } from './gates.ts'
import type { HookFacts, HookName, RunHook } from './hooks.ts'
import { copyLastChanges, type LastChangesLimits } from './last-changes.ts'

/** One direction of a move. */
export interface MoveSide extends Pick<
  CopierOptions,
  'source' | 'target' | 'mapper' | 'index' | 'otherIndex' | 'readsVersions' | 'onImageMissing'
> {
  readonly compare: CompareContainers
}

export interface TurnLimits extends GateLimits, LastChangesLimits {
  /** Comparisons after the writes have ended. */
  readonly maxComparisons: number
}

export interface MoveLimits extends TurnLimits {
  /** Time between two comparisons while changes are followed. */
  readonly compareEveryMs: number
}

export const DEFAULT_MOVE_LIMITS: MoveLimits = {
  ...DEFAULT_GATES,
  replicaLagMs: 5000,
  drainMs: 300_000,
  maxComparisons: 5,
  compareEveryMs: 3_600_000
}

export interface TurnOptions {
  readonly direction: Direction
  readonly sides: Readonly<Record<Direction, MoveSide>>
  readonly copier: MoveCopy
  /** Ends the copy; resolves when its positions are saved. */
  readonly stopCopy: () => Promise<void>
  readonly journal: Journal
  readonly clock: Clock
  readonly wallMs: () => number
  readonly runHook: RunHook
  /** Resolves when nothing postpones the switch; calls back if something does. */
  readonly notPostponed: (signal: AbortSignal, onPostponed: () => void) => Promise<void>
  readonly limits: TurnLimits
  /** Undefined while the source is in charge: only the move writes to the target then. */
  readonly watch: Watch | undefined
  /** Whether deleted copies leave markers. */
  readonly isFenced?: boolean | undefined
  readonly signal: AbortSignal
  /** Called with what the switch does or waits for. */
  readonly onStep: (sentence: string) => void
}

export interface TurnResult {
  readonly isDone: boolean
  /** Sentence for the user. */
  readonly message: string
}

/** The phase during a turn, the phase after it, and the phase before it, by the direction of the copy. */
const PHASES: Readonly<Record<Direction, { readonly during: Phase; readonly next: Phase; readonly before: Phase }>> = {
  forward: { during: 'switch', next: 'reverse', before: 'follow' },
  back: { during: 'back', next: 'follow', before: 'reverse' }
}

/**
 * Puts the other container in charge: stops the writes of the application, copies the last changes, compares, and moves
 * the application. If a step fails, the container that is in charge stays in charge.
 */
export async function turn(options: TurnOptions): Promise<TurnResult> {
  const { direction, notPostponed, signal, onStep } = options
  const unmet = gatesOf(options).filter(({ isMet }) => !isMet)
  if (unmet.length > 0) return refuse(unmet)
  await enterPhase(options, PHASES[direction].during)
  const sweep = options.isFenced ? sweepOf(options) : undefined
  try {
    await notPostponed(signal, () => onStep(POSTPONED))
    if (sweep !== undefined) onStep('removing old markers of deleted documents')
    await sweep?.removeOld()
    if (options.copier.gather !== undefined) onStep(GATHERING)
    await options.copier.gather?.(signal)
  } catch (error) {
    // no hook has run
    await enterPhase(options, PHASES[direction].before)
    throw error
  }
  const before = await runHook(options, 'before', signal)
  if (!before.isDone) return callOff(options, `The hook \`before\` failed: ${before.reason}`)
  let problem: string | undefined
  try {
    problem = await copyRest(options, sweep)
  } catch (error) {
    // the application must not wait for the next process
    await callOff(options, 'The switch failed.')
    throw error
  }
  return problem === undefined ? moveApplication(options) : callOff(options, problem)
}

/** Removes the markers that the copy in a direction has left in its target. */
export function sweepOf({
  sides,
  direction,
  ...rest
}: Pick<TurnOptions, 'sides' | 'direction' | 'wallMs' | 'signal'>): MarkerSweep {
  return new MarkerSweep({ ...rest, container: sides[direction].target })
}

/** Steps that wait for somebody else. */
export const POSTPONED = 'waiting while the file `postpone` exists'
export const GATHERING = 'waiting until the other processes have stopped'

/** Copies the last changes after the writes have ended, and compares. Returns the reason why the switch is impossible. */
async function copyRest(options: TurnOptions, sweep: MarkerSweep | undefined): Promise<string | undefined> {
  const { direction, sides, journal, wallMs, limits, signal, onStep } = options
  onStep('copying the last changes')
  if (!(await copyLastChanges({ ...options, source: sides[direction].source })))
    return `The last changes were not copied within ${limits.drainMs / 1000} s.`
  await options.copier.idle()
  const compared = await compareUntilEqual(options)
  if (!compared.isEqual) {
    const count = compared.disagreements.length + compared.unsettled
    const others = compared.ofOthers === 0 ? '' : ` ${othersSentence(compared.ofOthers)}`
    return `The containers still differ in ${count} ${count === 1 ? 'document' : 'documents'}.${others}`
  }
  if (journal.state().rejected[direction].size > 0) return 'A document of the last changes was rejected.'
  onStep('stopping the copy')
  await options.stopCopy()
  // the application must not see them
  await sweep?.removeAll()
  const other = opposite(direction)
  await beginCopy({ ...sides[other], journal, direction: other, begin: 'now', wallMs }, signal)
  return undefined
}

/** The last part of a turn, which a process repeats if it was ended there. */
export async function moveApplication(
  options: Pick<TurnOptions, 'direction' | 'sides' | 'journal' | 'runHook' | 'wallMs' | 'onStep'>
): Promise<TurnResult> {
  const { direction, journal, wallMs } = options
  await journal.append({ type: 'hook', at: new Date(wallMs()).toISOString() })
  // from here on the application may write to the other container
  await journal.sync()
  const after = await runHook(options, 'after')
  if (!after.isDone) return callOff(options, `The hook \`after\` failed: ${after.reason}`)
  await enterPhase(options, PHASES[direction].next)
  const { target } = options.sides[direction]
  return { isDone: true, message: `${target.name} is in charge now.` }
}

/** Returns to the phase before the turn: the container that was in charge stays in charge. */
export async function callOff(
  options: Pick<TurnOptions, 'direction' | 'sides' | 'journal' | 'runHook' | 'wallMs' | 'onStep'>,
  why: string
): Promise<TurnResult> {
  const { direction, sides, journal, wallMs } = options
  const { isHookBegun } = journal.state()
  try {
    await journal.append({ type: 'hook', hook: 'canceled', at: new Date(wallMs()).toISOString() })
    await journal.sync()
  } catch (error) {
    // unless the next process moves the application, as this journal says
    if (!isHookBegun) await runHook(options, 'canceled')
    throw error
  }
  const canceled = await runHook(options, 'canceled')
  // not before the hook, which the next process runs again if this one ends during it
  await enterPhase(options, PHASES[direction].before)
  const also = canceled.isDone ? '' : ` The hook \`canceled\` failed, too: ${canceled.reason}`
  return { isDone: false, message: `${why} ${sides[direction].source.name} stays in charge.${also}` }
}

/** The other direction. */
export function opposite(direction: Direction): Direction {
  return direction === 'forward' ? 'back' : 'forward'
}

export function gatesOf({
  direction,
  journal,
  copier,
  wallMs,
  limits
}: Pick<TurnOptions, 'direction' | 'journal' | 'copier' | 'wallMs' | 'limits'>): readonly Gate[] {
  const { compared, rejected } = journal.state()
  return checkGates({ copy: copier.status, compared, rejected: rejected[direction].size, nowMs: wallMs() }, limits)
}

function refuse(unmet: readonly Gate[]): TurnResult {
  return { isDone: false, message: `Nothing was changed. ${unmet.map(({ reason }) => reason).join(' ')}` }
}

/** Compares, and has the differences read again, until there are none or too many comparisons found some. */
async function compareUntilEqual(options: TurnOptions): Promise<Comparison & { readonly ofOthers: number }> {
  const { direction, sides, copier, journal, wallMs, limits, watch, signal, onStep } = options
  for (let count = 1; ; count++) {
    onStep('comparing the containers')
    const at = new Date(wallMs()).toISOString()
    const compared = await sides[direction].compare(signal, true)
    const { isEqual, disagreements, unsettled } = compared
    const repairable = await withoutForeign(disagreements, watch, signal)
    const ofOthers = disagreements.length - repairable.length
    const differences = disagreements.length + unsettled
    await journal.append({ type: 'compared', at, isEqual, differences, ...(ofOthers === 0 ? {} : { ofOthers }) })
    const isStuck = ofOthers > 0 && repairable.length === 0
    if (isEqual || count >= limits.maxComparisons || isStuck) return { ...compared, ofOthers }
    onStep(`copying ${repairable.length} differing documents again`)
    for (const { identity, places } of repairable) copier.reconcile(identity, places)
    await copier.idle()
  }
}

function runHook(
  { direction, sides, runHook: run, onStep }: Pick<TurnOptions, 'direction' | 'sides' | 'runHook' | 'onStep'>,
  hook: HookName,
  signal?: AbortSignal
): ReturnType<RunHook> {
  const facts: HookFacts = { from: sides[direction].source.name, to: sides[direction].target.name, direction }
  onStep(`running the hook \`${hook}\``)
  return run(hook, facts, signal)
}
