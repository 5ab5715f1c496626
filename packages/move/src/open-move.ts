import { createPlan, KeystampError, type Plan, type PlanDefinition } from '@keystamp/core'
import { createClock, parsePointer, waitFor } from '@keystamp/core/internal'
import { checkContainer, pointerOfPath } from '@keystamp/cosmos'
import type { CompareProgress } from './compare/compare-containers.ts'
import { comparisonOf } from './compare/move-comparison.ts'
import {
  countDocuments,
  type MoveContainerOptions,
  openMoveContainers,
  type OpenMoveContainer,
  refuseWriteRegions
} from './containers/open-container.ts'
import { createShareControl } from './containers/share-control.ts'
import { hasVersions, VERSIONS_LOST } from './copy/begin-copy.ts'
import type { CopyLimits } from './copy/copier.ts'
import type { CopyOptions } from './documents/copy-layout.ts'
import type { Identity } from './documents/identity.ts'
import { createPlanMapper } from './documents/plan-mapper.ts'
import { createReverseMapper } from './documents/reverse-mapper.ts'
import { hashOfIdentity } from './digest/identity-hash.ts'
import { openControlFolder } from './journal/control-folder.ts'
import { afterJournal, checkNotOlder } from './journal/older-journal.ts'
import { type MoveIdentity, openFileJournal } from './journal/file-journal.ts'
import type { Direction, Journal } from './journal/journal.ts'
import { openWrittenContents } from './journal/written-contents.ts'
import { leaseLimitsOf } from './leases/held-lease.ts'
import { type LeaseOptions, openLeases } from './leases/open-leases.ts'
import { SharedMove } from './leases/shared-move.ts'
import { checkFence } from './markers/marker.ts'
import type { RunHook } from './phases/hooks.ts'
import { type MoveCommand, isMoveCommand } from './phases/move-command.ts'
import { Move } from './phases/move.ts'
import type { MoveStatus } from './phases/move-status.ts'
import { remembering } from './phases/own-content.ts'
import { type MoveLimits, opposite } from './phases/turn.ts'
import { chargeOf, throttledOf } from './status/move-progress.ts'
import { feedSentence } from './status/versions-age.ts'
import { StatusWatch, type WatchedStatus } from './status/status-watch.ts'
import { directionsWithImages, imageMissing, openIndexes } from './target-index/move-indexes.ts'

export interface OpenMoveOptions {
  readonly from: MoveContainerOptions
  readonly to: MoveContainerOptions
  readonly plan: PlanDefinition
  /** Folder of the journal. */
  readonly journal: string
  /** Container in which processes on several machines divide the ranges. Default: this process copies all of them. */
  readonly leases?: LeaseOptions
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl?: 'remaining' | 'restart'
  /** JSON pointer of the member that keeps the old id, for a plan that makes new ids. */
  readonly keepIdIn?: string
  /** `auto`: by the feed of all versions and deletes if the source has it, else by comparisons. */
  readonly deletes?: 'auto' | 'compare'
  /** Whether a deleted copy leaves a marker until the next step, so that a create that arrives late cannot bring it back. */
  readonly fence?: boolean
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

export interface OpenMoveStatus extends MoveStatus, WatchedStatus {
  readonly at: string
  readonly from: string
  readonly to: string
  /** Number of ranges that this process copies; null if it copies all. */
  readonly ownRanges: number | null
  /** Part of the shares that is used, since the application is throttled; 1: all. */
  readonly part: number
  readonly chargedRu: { readonly from: number; readonly to: number }
  readonly throttled: { readonly from: number; readonly to: number }
  /** The error that has ended the process; null while it runs. */
  readonly failure: string | null
}

/** Opens a move: its containers, its journal, and the folder through which other commands talk to it. */
export async function openMove(options: OpenMoveOptions): Promise<OpenMove> {
  const { onStep = () => {}, onError = () => {}, limits = {}, copyLimits = {} } = options
  const plan = createPlan(options.plan)
  const isFenced = options.fence === true
  const clock = createClock(globalThis)
  // no request may be under way when the range belongs to another process
  const common = options.leases && { requestTimeoutMs: leaseLimitsOf(options.leases.leaseMs).requestTimeoutMs }
  const [from, to] = await openMoveContainers({ ...options.from, ...common }, { ...options.to, ...common })
  let leases: Awaited<ReturnType<typeof openLeases>> | undefined
  let opened: Journal | undefined
  try {
    leases = options.leases && (await openLeases(options.leases, { isFenced }))
    checkContainer(to.definition, plan)
    if (isFenced) {
      checkFence(from, to)
      await refuseWriteRegions(options.from, options.to)
    }
    const copy = copyOptionsOf(options, from)
    const mappers = { forward: createPlanMapper(copy), back: createReverseMapper(copy) }
    const identity = { ...identityOf(from, to, plan), ...(isFenced ? { fence: true } : {}) }
    const journal = await openFileJournal(options.journal, { move: identity })
    opened = journal
    // the leases have the state of a move that several processes share
    if (leases === undefined) await checkNotOlder(options.journal, journal.state(), { from: from.name, to: to.name })
    const basics = {
      forward: {
        source: from,
        mapper: mappers.forward,
        readsVersions: options.deletes !== 'compare' && (await hasVersions(from))
      },
      back: { source: to, mapper: mappers.back, readsVersions: await hasVersions(to) }
    }
    if (journal.state().begin === undefined) {
      const at = new Date().toISOString()
      const images = directionsWithImages(basics)
      await journal.append({ type: 'begin', at, ...identity, ...(images.length === 0 ? {} : { images }) })
      await journal.sync()
    }
    let comparison: CompareProgress | undefined
    const compare = comparisonOf(options, from, to, (progress) => {
      comparison = progress
    })
    // with leases, this process has no entries for the copies that others have written
    const indexes = openIndexes(options.journal, journal, basics)
    const written = openWrittenContents(options.journal, clock)
    const { images } = journal.state().begin ?? {}
    const warned = new Set<string>()
    const warn = (error: Error): void => {
      if (!warned.has(error.message)) onError(error)
      warned.add(error.message)
    }
    const side = (direction: Direction) => ({
      ...basics[direction],
      target: direction === 'forward' ? to : remembering(from, written),
      index: indexes[direction],
      otherIndex: indexes[opposite(direction)],
      compare: compare[direction],
      onImageMissing: () => {
        if (images?.includes(direction) === true) warn(new Error(imageMissing(basics[direction].source)))
      }
    })
    const sides = { forward: side('forward'), back: side('back') }
    const ended = new AbortController()
    const facts = {
      sides,
      clock,
      wallMs: () => Date.now(),
      random: Math.random,
      hashOf: hashOfIdentity,
      runHook: options.runHook ?? (async () => ({ isDone: true })),
      notPostponed: (signal: AbortSignal, onPostponed: () => void) => {
        if (control.isSet('postpone')) onPostponed()
        return control.waitWhile('postpone', signal)
      },
      limits,
      copyLimits,
      isFenced,
      written,
      onStep,
      onVersionsLost: () => warn(new KeystampError('OFFSETS_LOST', VERSIONS_LOST)),
      ...(options.onRejected === undefined ? {} : { onRejected: options.onRejected })
    }
    const move: Move | SharedMove =
      leases === undefined
        ? new Move({ ...facts, journal })
        : new SharedMove({ ...facts, identity, member: { ...leases.member, wallMs: () => Date.now(), onError } })
    const shares = createShareControl(
      [from, to],
      () => (move.status.phase === 'reverse' || move.status.phase === 'back' ? to : from),
      clock,
      () => (move instanceof SharedMove ? move.part : 1)
    )
    const opening = openControlFolder(options.journal, {
      clock,
      onError,
      onRequest: ({ id, command }) => {
        const asked = isMoveCommand(command)
          ? move.request(command)
          : Promise.resolve({ isDone: false, message: `There is no command \`${command}\`.` })
        // a request that was there before is answered while the folder is being opened
        void asked.then(async (result) => (await opening).answer(id, result))
      }
    })
    const control = await opening

    const watched = new StatusWatch({
      from,
      to,
      status: () => move.status,
      positions: (direction) => (move instanceof SharedMove ? move.journal : journal).state().ranges[direction],
      readsVersions: { forward: sides.forward.readsVersions, back: sides.back.readsVersions },
      clock,
      wallMs: facts.wallMs,
      comparison: () => comparison ?? null,
      onWait: onStep,
      onWarning: onError
    })
    void countDocuments(options.from, ended.signal).then((documents) => watched.setDocuments(documents))

    const inCharge = watched.direction === 'forward' ? from : to
    const unseen =
      options.deletes === 'compare' && inCharge === from
        ? undefined
        : feedSentence(inCharge.name, sides[watched.direction].readsVersions, watched.positions)
    if (unseen !== undefined) onStep(unseen)

    let failure: string | null = null
    const status = (): OpenMoveStatus => ({
      ...move.status,
      at: new Date().toISOString(),
      from: from.name,
      to: to.name,
      ...watched.status(),
      ownRanges: move instanceof SharedMove ? move.held : null,
      part: shares.part(),
      chargedRu: { from: chargeOf(from), to: chargeOf(to) },
      throttled: { from: throttledOf(from), to: throttledOf(to) },
      failure
    })

    const publish = afterJournal(journal, control.setStatus)
    async function watch(): Promise<void> {
      for (;;) {
        if (control.isSet('pause')) move.pause('the file `pause` exists')
        else move.resume()
        shares.adjust()
        watched.look()
        await publish(status())
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
        } catch (error) {
          failure = error instanceof Error ? error.message : String(error)
          throw error
        } finally {
          ended.abort(new Error('The move has ended.'))
          await watching
          // not if the journal has failed: the next process would miss a phase that was shown
          await publish(status()).catch(() => {})
        }
      },
      close: async () => {
        await control.close()
        await Promise.all([indexes.forward?.close(), indexes.back?.close(), written.close()])
        await journal.close()
        await Promise.all([from.close(), to.close(), leases?.close()])
      }
    }
  } catch (error) {
    await Promise.all([from.close(), to.close(), leases?.close(), opened?.close()])
    throw error
  }
}

const WATCH_MS = 500

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
