import { createRandom, VirtualClock } from '@keystamp/testkit'
import type { TargetIndex } from '../../src/copy/target-index.ts'
import { identityText } from '../../src/documents/identity.ts'
import type { Direction, JournalEntry } from '../../src/journal/journal.ts'
import { createMemoryJournal, type MemoryJournal } from '../../src/journal/memory-journal.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { Move } from '../../src/phases/move.ts'
import { remembering } from '../../src/phases/own-content.ts'
import { Application } from './application.ts'
import { createMemoryContents, createMemoryIndex } from './memory-index.ts'
import { jump } from './simulated-worker.ts'
import { SimulatedContainer } from './simulated-container.ts'
import { createBackMapper, createSimulatedMapper } from './simulated-mapper.ts'

export interface TurnsRun {
  readonly seed: number
  readonly basis: 'identity' | 'fields'
  readonly isKilled: boolean
  /**
   * Deletes are found by comparisons only. Without kills, the application deletes all the time until the only switch.
   */
  readonly isSwept?: boolean
}

export interface TurnsVerdict {
  /** Documents of the application's log that the container in charge, or its copy, does not have. */
  readonly lost: readonly string[]
  /** Differences that were found after the writes of the application had ended, and its changes were copied. */
  readonly repaired: number
  /** Whether answers were lost, so that writes may have been applied late. */
  readonly hasLostAnswers: boolean
  readonly failures: readonly string[]
  /** Phases in which the runs of the application wrote, in order. */
  readonly turns: readonly string[]
  readonly isFinished: boolean
  readonly kills: number
}

interface Process {
  readonly move: Move
  readonly journal: MemoryJournal
  isAlive: boolean
}

/**
 * An application writes to the container that is in charge, a move copies in both directions, and requests to switch, to
 * return and to finish come at random. The log of the application is the truth.
 */
export async function runTurns({ seed, basis, isKilled, isSwept = false }: TurnsRun): Promise<TurnsVerdict> {
  const random = createRandom(seed)
  const clock = new VirtualClock()
  const maxLatencyMs = 1 + random.below(100)
  const shared = {
    maxBehindMs: 0,
    maxLatencyMs,
    hasPreviousImages: random.chance(0.5),
    lostShare: random.pick([0, 0.1])
  }
  const containers: Record<Direction, SimulatedContainer> = {
    forward: new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared }),
    back: new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  }
  const mappers = { forward: createSimulatedMapper(basis), back: createBackMapper(basis) }
  const indexes = { forward: createMemoryIndex(), back: createMemoryIndex() }
  const contents = createMemoryContents()
  const app = new Application(random, containers, basis)
  const failures: string[] = []
  const turns: string[] = []
  let entries: readonly JournalEntry[] = [BEGIN]
  let process: Process | undefined
  let kills = 0
  let repaired = 0
  /** The time of day of the processes is wrong by this. */
  let aheadMs = 0

  for (let step = 0; step < 20; step++) app.write()
  const isBusy = isSwept && !isKilled
  if (isBusy) writeAlways()
  const steps = isBusy ? 0 : 40 + random.below(80)
  for (let step = 0; step < steps && !isOver(); step++) {
    if (random.chance(0.6)) for (let count = random.below(4); count > 0; count--) app.write()
    if (random.chance(0.05)) containers[random.pick<Direction>(['forward', 'back'])].split()
    if (process === undefined || !process.isAlive) start()
    if (isKilled && random.chance(0.1)) kill()
    if (isKilled && random.chance(0.1)) aheadMs = jump(random)
    if (random.chance(0.15)) ask(random.pick(['switch', 'switch', 'back', 'compare']))
    await pass(random.next() * 4000)
  }
  let isFinished = false
  for (let round = 0; round < 300 && !isFinished; round++) {
    if (process === undefined || !process.isAlive) start()
    const { phase } = process!.journal.state()
    if (phase === 'finished' || phase === 'aborted') break
    if (phase === 'follow') ask('switch')
    if (isKilled && random.chance(0.2)) aheadMs = jump(random)
    await pass(10_000)
    // the containers agree when the phase after a switch was compared
    isFinished = phase === 'reverse' && app.lost().length === 0
  }
  if (isFinished) await finish()
  return { lost: app.lost(), repaired, hasLostAnswers: shared.lostShare > 0, failures, turns, isFinished, kills }

  /** Writes until the application uses the target. */
  function writeAlways(): void {
    if (process?.journal.state().phase === 'reverse') return
    app.write()
    clock.schedule(50, writeAlways)
  }

  /** The changes before `finish` are copied back, too. */
  async function finish(): Promise<void> {
    for (let count = 0; count < 5; count++) app.write(isSwept ? 0 : undefined)
    for (let round = 0; round < 100 && !isOver(); round++) {
      if (!process!.isAlive) start()
      ask('finish')
      await pass(10_000)
    }
  }

  function indexOf(direction: Direction): TargetIndex | undefined {
    // previous images tell former places, too
    return mappers[direction].basis === 'fields' && (isSwept || !shared.hasPreviousImages)
      ? indexes[direction]
      : undefined
  }

  async function pass(ms: number): Promise<void> {
    await clock.runUntil(() => false, clock.now() + ms)
  }

  function isOver(): boolean {
    return ['finished', 'aborted'].includes(process?.journal.state().phase ?? '')
  }

  function ask(command: 'switch' | 'back' | 'compare' | 'finish'): void {
    void note(command, process!.move.request(command))
  }

  async function note(command: string, asked: Promise<{ readonly isDone: boolean }>): Promise<void> {
    if ((await asked).isDone && command !== 'compare' && command !== 'finish') turns.push(command)
  }

  function start(): void {
    const journal = createMemoryJournal({
      entries,
      onMoment: (moment) => {
        if (!made.isAlive) throw new Error(`The process ended before ${moment}.`)
        entries = journal.entries
        if (isKilled && random.chance(0.01)) {
          kill(made)
          throw new Error(`The process ended at ${moment}.`)
        }
      }
    })
    const isAlive = (): boolean => made.isAlive
    const open = { forward: containers.forward.open(isAlive), back: containers.back.open(isAlive) }
    const written = contents.open()
    const side = (direction: Direction, other: Direction) => ({
      source: open[direction],
      target: direction === 'forward' ? open[other] : remembering(open[other], written),
      mapper: mappers[direction],
      index: indexOf(direction),
      otherIndex: indexOf(other),
      readsVersions: !isSwept,
      compare: (_: AbortSignal, isFrozen: boolean) => compare(direction, isAlive, isFrozen)
    })
    const move = new Move({
      sides: { forward: side('forward', 'back'), back: side('back', 'forward') },
      journal,
      clock,
      wallMs: () => clock.now() + aheadMs,
      random: random.next,
      hashOf: identityText,
      runHook: async (hook, { direction }) => {
        await wait(isAlive)
        if (random.chance(0.15)) return { isDone: false, reason: 'the command ended with 1' }
        app.run(hook, direction)
        await wait(isAlive)
        return { isDone: true }
      },
      notPostponed: async () => wait(isAlive),
      written,
      limits: { replicaLagMs: 500, drainMs: 60_000, compareEveryMs: 20_000 },
      copyLimits: { maxBytes: 63_000, maxRequests: 2, maxItems: 1 + random.below(20), pollMs: 100, saveEveryMs: 300 },
      onStep: () => {}
    })
    const made: Process = { move, journal, isAlive: true }
    process = made
    move.run(new AbortController().signal).catch((error: unknown) => {
      if (made.isAlive) failures.push(String(error))
    })
  }

  async function wait(isAlive: () => boolean): Promise<void> {
    await clock.sleep(random.next() * maxLatencyMs)
    if (!isAlive()) await new Promise<never>(() => {})
  }

  function kill(ended: Process | undefined = process): void {
    if (ended === undefined || !ended.isAlive) return
    kills++
    ended.isAlive = false
  }

  async function compare(direction: Direction, isAlive: () => boolean, isFrozen: boolean): Promise<Comparison> {
    await wait(isAlive)
    const disagreements = app.versioned(direction)
    if (isFrozen) repaired += disagreements.length
    await wait(isAlive)
    const remaining = async (): Promise<Comparison['disagreements']> => {
      await wait(isAlive)
      return app.remaining(direction, disagreements)
    }
    return { isEqual: disagreements.length === 0, disagreements, unsettled: 0, remaining }
  }
}

const BEGIN: JournalEntry = {
  type: 'begin',
  at: '2026-01-01T00:00:00.000Z',
  from: { name: 'source', rid: 'source' },
  to: { name: 'target', rid: 'target' },
  plan: 'plan'
}
