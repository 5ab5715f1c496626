import { createRandom, VirtualClock } from '@keystamp/testkit'
import type { ChangesRequest, MoveContainer } from '../../src/containers/move-container.ts'
import { identityText } from '../../src/documents/identity.ts'
import type { JournalEntry } from '../../src/journal/journal.ts'
import { createMemoryJournal, type JournalMoment } from '../../src/journal/memory-journal.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import type { HookName, HookResult } from '../../src/phases/hooks.ts'
import { Move } from '../../src/phases/move.ts'
import { remembering } from '../../src/phases/own-content.ts'
import { BEGIN } from '../journal/entries.ts'
import { createMemoryContents } from '../simulation/memory-index.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { createBackMapper, createSimulatedMapper } from '../simulation/simulated-mapper.ts'

export interface StartedMoveOptions {
  readonly entries?: readonly JournalEntry[]
  readonly onMoment?: (moment: JournalMoment) => void
  readonly onHook?: (hook: HookName) => Promise<HookResult>
  readonly notPostponed?: (signal: AbortSignal) => Promise<void>
  /** Called before each request for changes, which fails if it throws. */
  readonly onRead?: (request: ChangesRequest) => void
  readonly compare?: (signal: AbortSignal, isFrozen: boolean) => Promise<Comparison>
  /** Default: true. */
  readonly readsVersions?: boolean
}

const SHARED = { hasPreviousImages: false, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 10 }
const EQUAL: Comparison = { isEqual: true, disagreements: [], unsettled: 0 }

/** Containers in virtual time, and contents, that outlive the processes of a move. */
export function createMovedContainers() {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const old = new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...SHARED })
  const created = new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...SHARED })
  for (const id of ['a', 'b', 'c']) old.apply({ key: ['pk'], id }, { id, pk: 'pk', version: 1 })
  return { clock, random, old, created, contents: createMemoryContents() }
}

/** A process of a move between simulated containers. */
export function startMove(
  { clock, random, old, created, contents }: ReturnType<typeof createMovedContainers>,
  { entries = [BEGIN], onMoment, onHook, notPostponed, onRead, compare, readsVersions = true }: StartedMoveOptions = {}
) {
  const journal = createMemoryJournal({ entries, ...(onMoment === undefined ? {} : { onMoment }) })
  const hooks: string[] = []
  const steps: string[] = []
  const broken = new AbortController()
  const ending = new AbortController()
  const open = (container: SimulatedContainer): MoveContainer =>
    failing(
      container.open(() => true),
      (request) => {
        broken.signal.throwIfAborted()
        onRead?.(request)
      }
    )
  const [source, target] = [open(old), open(created)]
  const written = contents.open()
  const side = { index: undefined, readsVersions, compare: compare ?? (async () => EQUAL) }
  const move = new Move({
    sides: {
      forward: { ...side, source, target, mapper: createSimulatedMapper('identity') },
      back: { ...side, source: target, target: remembering(source, written), mapper: createBackMapper('identity') }
    },
    journal,
    clock,
    wallMs: () => clock.now() + 1,
    random: random.next,
    hashOf: identityText,
    runHook: async (hook) => {
      hooks.push(hook)
      return (await onHook?.(hook)) ?? { isDone: true }
    },
    notPostponed: notPostponed ?? (async () => {}),
    written,
    limits: { replicaLagMs: 500, drainMs: 60_000 },
    onStep: (step) => steps.push(step),
    onVersionsLost: () => steps.push('the feed of all versions is lost')
  })
  const ended = move.run(ending.signal).then(
    () => 'ended',
    (error: Error) => error.message
  )
  return {
    move,
    journal,
    hooks,
    steps,
    ended,
    /** Both containers refuse all further requests. */
    fail: () => broken.abort(new Error('The account does not answer.')),
    end: () => ending.abort(new Error('interrupted')),
    /** Lets virtual time pass until the phase is this one. */
    reach: (phase: string) => clock.runUntil(() => journal.state().phase === phase, clock.now() + 60_000),
    /** Asks for a switch when its conditions are met. */
    switch: async () => {
      await clock.runUntil(() => isReady(move), clock.now() + 60_000)
      return move.request('switch')
    },
    pass: (ms: number) => clock.runUntil(() => false, clock.now() + ms)
  }
}

function isReady({ status: { phase, gates } }: Move): boolean {
  return (phase === 'follow' || phase === 'reverse') && gates.length > 0 && gates.every(({ isMet }) => isMet)
}

function failing(container: MoveContainer, onRead: (request: ChangesRequest) => void): MoveContainer {
  return {
    ...container,
    readChanges: async (request) => {
      onRead(request)
      return container.readChanges(request)
    }
  }
}
