import { createRandom, type Random, VirtualClock } from '@keystamp/testkit'
import { type Identity, identityText, isSameIdentity } from '../../src/documents/identity.ts'
import type { Direction, JournalEntry } from '../../src/journal/journal.ts'
import { createMemoryJournal, type MemoryJournal } from '../../src/journal/memory-journal.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { Move } from '../../src/phases/move.ts'
import { createMemoryIndex } from './memory-index.ts'
import { type Body, SimulatedContainer } from './simulated-container.ts'
import { createBackMapper, createSimulatedMapper } from './simulated-mapper.ts'

export interface TurnsRun {
  readonly seed: number
  readonly basis: 'identity' | 'fields'
  readonly isKilled: boolean
}

export interface TurnsVerdict {
  /** Documents of the application's log that the container in charge, or its copy, does not have. */
  readonly lost: readonly string[]
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
export async function runTurns({ seed, basis, isKilled }: TurnsRun): Promise<TurnsVerdict> {
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
  const app = new Application(random, containers, basis)
  const failures: string[] = []
  const turns: string[] = []
  let entries: readonly JournalEntry[] = [BEGIN]
  let process: Process | undefined
  let kills = 0

  for (let step = 0; step < 20; step++) app.write()
  const steps = 40 + random.below(80)
  for (let step = 0; step < steps && !isOver(); step++) {
    if (random.chance(0.6)) for (let count = random.below(4); count > 0; count--) app.write()
    if (random.chance(0.05)) containers[random.pick<Direction>(['forward', 'back'])].split()
    if (process === undefined || !process.isAlive) start()
    if (isKilled && random.chance(0.1)) kill()
    if (random.chance(0.15)) ask(random.pick(['switch', 'switch', 'back', 'compare']))
    await pass(random.next() * 4000)
  }
  let isFinished = false
  for (let round = 0; round < 300 && !isFinished; round++) {
    if (process === undefined || !process.isAlive) start()
    const { phase } = process!.journal.state()
    if (phase === 'finished' || phase === 'aborted') break
    if (phase === 'follow') ask('switch')
    await pass(10_000)
    // the containers agree when the phase after a switch was compared
    isFinished = phase === 'reverse' && app.lost().length === 0
  }
  return { lost: app.lost(), failures, turns, isFinished, kills }

  async function pass(ms: number): Promise<void> {
    await clock.runUntil(() => false, clock.now() + ms)
  }

  function isOver(): boolean {
    return ['finished', 'aborted'].includes(process?.journal.state().phase ?? '')
  }

  function ask(command: 'switch' | 'back' | 'compare'): void {
    void note(command, process!.move.request(command))
  }

  async function note(command: string, asked: Promise<{ readonly isDone: boolean }>): Promise<void> {
    if ((await asked).isDone && command !== 'compare') turns.push(command)
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
    const side = (direction: Direction, other: Direction) => ({
      source: open[direction],
      target: open[other],
      mapper: mappers[direction],
      index: mappers[direction].basis === 'fields' ? indexes[direction] : undefined,
      readsVersions: true,
      compare: () => compare(direction, isAlive)
    })
    const move = new Move({
      sides: { forward: side('forward', 'back'), back: side('back', 'forward') },
      journal,
      clock,
      wallMs: clock.now,
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
      limits: { replicaLagMs: 500, drainMs: 60_000, compareEveryMs: 20_000 },
      copyLimits: { maxBytes: 3000, maxRequests: 2, maxItems: 1 + random.below(20), pollMs: 100, saveEveryMs: 300 },
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

  async function compare(direction: Direction, isAlive: () => boolean): Promise<Comparison> {
    await wait(isAlive)
    const disagreements = app.disagreements(direction)
    await wait(isAlive)
    return { isEqual: disagreements.length === 0, disagreements, unsettled: 0 }
  }
}

/** An application that writes to the container that is in charge, and keeps a log of its documents. */
class Application {
  readonly #random: Random
  readonly #containers: Readonly<Record<Direction, SimulatedContainer>>
  readonly #basis: 'identity' | 'fields'
  /** Documents by old key and id. */
  readonly #log: Map<string, Body> = new Map()
  /** Direction whose source is in charge. */
  #inCharge: Direction = 'forward'
  #isFrozen = false
  #version = 0

  constructor(
    random: Random,
    containers: Readonly<Record<Direction, SimulatedContainer>>,
    basis: 'identity' | 'fields'
  ) {
    this.#random = random
    this.#containers = containers
    this.#basis = basis
  }

  run(hook: 'before' | 'after' | 'canceled', direction: Direction): void {
    if (hook === 'before') this.#isFrozen = true
    else {
      this.#isFrozen = false
      this.#inCharge = hook === 'after' ? (direction === 'forward' ? 'back' : 'forward') : direction
    }
  }

  write(): void {
    if (this.#isFrozen) return
    const random = this.#random
    const name = { key: [`pk-${random.below(3)}`], id: `id-${random.below(6)}` }
    const text = identityText(name)
    const before = this.#log.get(text)
    const isDelete = before !== undefined && random.chance(0.25)
    const after: Body | undefined = isDelete
      ? undefined
      : { id: name.id, pk: name.key[0], group: `group-${random.below(3)}-${name.key[0]}`, version: ++this.#version }
    if (after === undefined) this.#log.delete(text)
    else this.#log.set(text, after)
    const container = this.#containers[this.#inCharge]
    if (this.#inCharge === 'forward') return container.apply(name, after)
    const [old, next] = [before && this.#placeOf(before), after && this.#placeOf(after)]
    // a document whose new key changes is created under it, and deleted under the old one
    if (next !== undefined) container.apply(next, { ...after!, key: next.key[0] })
    if (old !== undefined && (next === undefined || !isSameIdentity(old, next))) container.apply(old, undefined)
  }

  /** Documents of the log that one of the containers does not have, and documents that are not in the log. */
  lost(): readonly string[] {
    const { forward, back } = this.#containers
    const lost = (['forward', 'back'] as const).flatMap((side) =>
      [...this.#log.values()].flatMap((body) => {
        const place = side === 'forward' ? { key: [body['pk'] as string], id: body.id } : this.#placeOf(body)
        const found = this.#containers[side].current(place)?.body['version']
        return found === body['version']
          ? []
          : [`${side} ${identityText(place)}: ${String(found)} for ${String(body['version'])}`]
      })
    )
    const count = this.#log.size
    if (forward.bodies().length !== count || back.bodies().length !== count)
      lost.push(`${forward.bodies().length} and ${back.bodies().length} documents for ${count}`)
    return lost
  }

  /** Result of a comparison of the source of a direction with its target. */
  disagreements(direction: Direction): Comparison['disagreements'] {
    const [source, target] = direction === 'forward' ? (['forward', 'back'] as const) : (['back', 'forward'] as const)
    const wrong = new Map<string, { readonly identity: Identity; readonly places: Identity[] }>()
    const add = (identity: Identity, places: readonly Identity[]): void => {
      const found = wrong.get(identityText(identity)) ?? { identity, places: [] }
      found.places.push(...places)
      wrong.set(identityText(identity), found)
    }
    const nameIn = (side: Direction, body: Body): Identity =>
      side === 'forward' ? { key: [body['pk'] as string], id: body.id } : this.#placeOf(body)
    for (const { identity, body } of this.#containers[source].bodies()) {
      const copy = this.#containers[target].current(nameIn(target, body))
      if (copy?.body['version'] !== body['version']) add(identity, [])
    }
    for (const { identity: place, body } of this.#containers[target].bodies()) {
      const owner = nameIn(source, body)
      const document = this.#containers[source].current(owner)
      if (document === undefined || !isSameIdentity(nameIn(target, document.body), place)) add(owner, [place])
    }
    return [...wrong.values()]
  }

  #placeOf(body: Body): Identity {
    const key = this.#basis === 'identity' ? `${String(body['pk'])}-${body.id}` : String(body['group'])
    return { key: [key], id: body.id }
  }
}

const BEGIN: JournalEntry = {
  type: 'begin',
  at: '2026-01-01T00:00:00.000Z',
  from: { name: 'source', rid: 'source' },
  to: { name: 'target', rid: 'target' },
  plan: 'plan'
}
