import { join } from 'node:path'
import { createPlan, KeystampError, type Plan, type PlanDefinition } from '@keystamp/core'
import { createClock, parsePointer, waitFor } from '@keystamp/core/internal'
import { checkContainer, pointerOfPath } from '@keystamp/cosmos'
import type { Difference } from './compare/difference.ts'
import { createVerification } from './compare/verification.ts'
import { type MoveContainerOptions, openMoveContainer, type OpenMoveContainer } from './containers/open-container.ts'
import { hasLostVersions, hasVersions, VERSIONS_LOST } from './containers/versions-feed.ts'
import { createShareControl } from './containers/share-control.ts'
import type { CopyLimits } from './copy/copier.ts'
import type { CopyOptions } from './documents/copy-layout.ts'
import type { Identity } from './documents/identity.ts'
import { createPlanMapper } from './documents/plan-mapper.ts'
import { createReverseMapper } from './documents/reverse-mapper.ts'
import { hashOfIdentity } from './digest/identity-hash.ts'
import { openControlFolder } from './journal/control-folder.ts'
import { type MoveIdentity, openFileJournal } from './journal/file-journal.ts'
import type { Direction, Journal } from './journal/journal.ts'
import type { CompareContainers, Disagreement } from './phases/compare-containers.ts'
import type { RunHook } from './phases/hooks.ts'
import { type MoveCommand, isMoveCommand } from './phases/move-command.ts'
import { Move, type MoveStatus } from './phases/move.ts'
import type { MoveLimits } from './phases/turn.ts'
import { openFileTargetIndex } from './target-index/file-target-index.ts'

export interface OpenMoveOptions {
  readonly from: MoveContainerOptions
  readonly to: MoveContainerOptions
  readonly plan: PlanDefinition
  /** Folder of the journal. */
  readonly journal: string
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl?: 'remaining' | 'restart'
  /** JSON pointer of the member that keeps the old id, for a plan that makes new ids. */
  readonly keepIdIn?: string
  /** `auto`: by the feed of all versions and deletes if the source has it, else by comparisons. */
  readonly deletes?: 'auto' | 'compare'
  readonly runHook?: RunHook
  readonly limits?: Partial<MoveLimits>
  readonly copyLimits?: Partial<CopyLimits>
  readonly onStep?: (sentence: string) => void
  readonly onRejected?: (source: Identity, code: string, message: string) => void
  /** Called with an error that does not end the move. */
  readonly onError?: (error: unknown) => void
}

/** A move that this process runs. */
export interface OpenMove {
  /** Runs until the move has ended, or the signal aborts. Continues a move that another process has begun. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly status: () => OpenMoveStatus
  readonly request: (command: MoveCommand) => Promise<{ readonly isDone: boolean; readonly message: string }>
  readonly close: () => Promise<void>
}

export interface OpenMoveStatus extends MoveStatus {
  readonly at: string
  readonly from: string
  readonly to: string
  /** How deletes in the source are seen; `expired`: by comparisons, since the move stood still for too long. */
  readonly deletes: 'feed' | 'compare' | 'expired'
  /** Part of the shares that is used, since the application is throttled; 1: all. */
  readonly part: number
  readonly chargedRu: { readonly from: number; readonly to: number }
  readonly throttled: { readonly from: number; readonly to: number }
}

/** Opens a move: its containers, its journal, and the folder through which other commands talk to it. */
export async function openMove(options: OpenMoveOptions): Promise<OpenMove> {
  const { onStep = () => {}, onError = () => {}, limits = {}, copyLimits = {} } = options
  const plan = createPlan(options.plan)
  const clock = createClock(globalThis)
  const [from, to] = await openBoth(options)
  try {
    checkContainer(to.definition, plan)
    const copy = copyOptionsOf(options, from)
    const mappers = { forward: createPlanMapper(copy), back: createReverseMapper(copy) }
    const identity = identityOf(from, to, plan)
    const journal = await openFileJournal(options.journal, { move: identity })
    if (journal.state().begin === undefined) {
      const at = new Date().toISOString()
      await journal.append({ type: 'begin', at, ...identity })
      await journal.sync()
    }
    const readsVersions = options.deletes === 'compare' ? false : await hasVersions(from)
    const compare = comparisonOf(options, from, to)
    const side = (direction: Direction) => ({
      source: direction === 'forward' ? from : to,
      target: direction === 'forward' ? to : from,
      mapper: mappers[direction],
      index:
        mappers[direction].basis === 'fields'
          ? openFileTargetIndex(join(options.journal, `index-${direction}`), {
              mustExist: hasCopied(journal, direction)
            })
          : undefined,
      compare: compare[direction]
    })
    const sides = {
      forward: { ...side('forward'), readsVersions },
      back: { ...side('back'), readsVersions: await hasVersions(to) }
    }
    const ended = new AbortController()
    let isLost = false
    const move: Move = new Move({
      sides,
      journal,
      clock,
      wallMs: () => Date.now(),
      random: Math.random,
      hashOf: hashOfIdentity,
      runHook: options.runHook ?? (async () => ({ isDone: true })),
      notPostponed: (signal, onPostponed) => {
        if (control.isSet('postpone')) onPostponed()
        return control.waitWhile('postpone', signal)
      },
      limits,
      copyLimits,
      onStep,
      onVersionsLost: () => {
        if (!isLost) onError(new KeystampError('OFFSETS_LOST', VERSIONS_LOST))
        isLost = true
      },
      ...(options.onRejected === undefined ? {} : { onRejected: options.onRejected })
    })
    /** Ends when all answers so far are in the folder. */
    let answering: Promise<unknown> = Promise.resolve()
    const shares = createShareControl([from, to], clock)
    const control = await openControlFolder(options.journal, {
      clock,
      onError,
      onRequest: ({ id, command }) => {
        const asked = isMoveCommand(command)
          ? move.request(command)
          : Promise.resolve({ isDone: false, message: `There is no command \`${command}\`.` })
        void answer(id, asked)
      }
    })

    async function answer(id: string, asked: ReturnType<Move['request']>): Promise<void> {
      const result = await asked
      const answered = control.answer(id, result).catch(onError)
      answering = Promise.all([answering, answered])
    }

    const status = (): OpenMoveStatus => ({
      ...move.status,
      at: new Date().toISOString(),
      from: from.name,
      to: to.name,
      deletes: readsVersions ? (hasLostVersions(journal) ? 'expired' : 'feed') : 'compare',
      part: shares.part(),
      chargedRu: { from: chargeOf(from), to: chargeOf(to) },
      throttled: { from: throttledOf(from), to: throttledOf(to) }
    })

    async function watch(): Promise<void> {
      for (;;) {
        if (control.isSet('pause')) move.pause('the file `pause` exists')
        else move.resume()
        shares.adjust()
        control.setStatus(status())
        await waitFor(WATCH_MS, clock, ended.signal)
      }
    }

    return {
      status,
      request: (command) => move.request(command),
      run: async (signal) => {
        const watching = watch().catch(() => {})
        try {
          await move.run(signal)
        } finally {
          ended.abort(new Error('The move has ended.'))
          await watching
          control.setStatus(status())
        }
      },
      close: async () => {
        await answering
        await control.close()
        await Promise.all([sides.forward.index?.close(), sides.back.index?.close()])
        await journal.close()
        await Promise.all([from.close(), to.close()])
      }
    }
  } catch (error) {
    await Promise.all([from.close(), to.close()])
    throw error
  }
}

const WATCH_MS = 500

async function openBoth({ from, to }: OpenMoveOptions): Promise<readonly [OpenMoveContainer, OpenMoveContainer]> {
  const source = await openMoveContainer(from)
  try {
    return [source, await openMoveContainer(to)]
  } catch (error) {
    await source.close()
    throw error
  }
}

function identityOf(
  from: OpenMoveContainer,
  to: OpenMoveContainer,
  { fingerprint }: Pick<Plan, 'fingerprint'>
): MoveIdentity {
  return {
    from: { name: from.name, rid: from.definition.rid },
    to: { name: to.name, rid: to.definition.rid },
    plan: fingerprint
  }
}

function copyOptionsOf({ plan, ttl = 'remaining', keepIdIn }: OpenMoveOptions, from: OpenMoveContainer): CopyOptions {
  const { partitionKey, defaultTtl } = from.definition
  return {
    plan,
    sourceKeyPaths: partitionKey.paths.map((path) => parsePointer(pointerOfPath(path)) ?? []),
    sourceDefaultTtl: defaultTtl,
    ttl,
    keepIdIn
  }
}

/** Whether there are copies whose places must be in the index. */
function hasCopied(journal: Journal, direction: Direction): boolean {
  return journal.state().ranges[direction].some(({ documents }) => documents > 0)
}

/** How long a document must stand still, so that a difference counts, and how often it may change. */
const RUNNING = { settleMs: 5000, tries: 3 }
const FROZEN = { settleMs: 1000, tries: 5 }

/** The comparisons of both directions. Both compare the same containers: only what counts as wrong differs. */
function comparisonOf(
  { plan, keepIdIn }: OpenMoveOptions,
  from: OpenMoveContainer,
  to: OpenMoveContainer
): Readonly<Record<Direction, CompareContainers>> {
  const compare =
    (direction: Direction): CompareContainers =>
    async (signal, isFrozen) => {
      const { isEqual, differences, unsettled } = await createVerification({
        source: from,
        target: to,
        plan,
        keepIdIn,
        signal,
        ...(isFrozen ? FROZEN : RUNNING)
      }).compare()
      // documents of the target without the fields of the old key are no copies: only a user can decide about them
      const foreign = differences.filter(({ identity, planned }) => identity.key.length === 0 && planned === undefined)
      const ours = differences.filter((each) => !foreign.includes(each))
      return {
        isEqual,
        unsettled: unsettled.length + foreign.length,
        disagreements: ours.flatMap((each) => toDisagreements(each, direction))
      }
    }
  return { forward: compare('forward'), back: compare('back') }
}

/**
 * A difference as a disagreement of one direction. On the way back, the target is in charge: what it lacks is deleted in
 * the source, and what it has is copied there.
 */
function toDisagreements(
  { identity, source, copy, planned, places }: Difference,
  direction: Direction
): readonly Disagreement[] {
  if (direction === 'forward') return [{ identity, places }]
  const inCharge = [copy?.place, planned].filter((place) => place !== undefined)
  return inCharge.map((place) => ({ identity: place, places: source === undefined ? [] : [source.place] }))
}

function chargeOf(container: OpenMoveContainer): number {
  const { reads, writes } = container.stats()
  return reads.chargeRu + (writes?.chargedRu ?? 0)
}

function throttledOf(container: OpenMoveContainer): number {
  const { reads, writes } = container.stats()
  return reads.throttled + (writes?.throttledOperations ?? 0)
}
