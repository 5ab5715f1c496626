import { createRandom, VirtualClock } from '@keystamp/testkit'
import { Copier } from '../../src/copy/copier.ts'
import { type Identity, identityText, isSameIdentity } from '../../src/documents/identity.ts'
import type { JournalEntry } from '../../src/journal/journal.ts'
import { createMemoryJournal, type MemoryJournal } from '../../src/journal/memory-journal.ts'
import { forgetRejected } from '../../src/phases/compare-containers.ts'
import { SimulatedContainer } from './simulated-container.ts'
import type { Body } from './simulated-document.ts'
import { jump } from './simulated-worker.ts'
import { createMemoryIndex } from './memory-index.ts'
import { createSimulatedMapper } from './simulated-mapper.ts'

/** How the places of deleted and moved documents are found. */
export type Finding = 'identity' | 'index' | 'images' | 'sweep'

export interface MoveRun {
  readonly seed: number
  readonly finding: Finding
  /** Ends the process at each of many moments. */
  readonly isKilled?: boolean
  /** Replicas that are behind. */
  readonly isBehind?: boolean
  /** Documents that meet at one place of the target, and documents without the field of the key; needs `index`. */
  readonly collides?: boolean
}

export interface MoveVerdict {
  /** Differences between what the target should have and what it has. */
  readonly differences: readonly string[]
  /** Differences that only a comparison has found. */
  readonly repaired: number
  /** Whether answers were lost, so that writes may have been applied late. */
  readonly hasLostAnswers: boolean
  /** Copies that were replaced by an older version. */
  readonly rewound: readonly string[]
  /** Documents that are rejected, but should not be, or the reverse. */
  readonly misjudged: readonly string[]
  readonly failures: readonly string[]
  readonly isFinished: boolean
  readonly kills: number
}

interface Process {
  readonly copier: Copier
  readonly journal: MemoryJournal
  readonly stop: AbortController
  readonly ended: Promise<void>
  isAlive: boolean
}

/** Random writers change the source while it is copied; then the copy gets time to catch up, and is stopped. */
export async function runMove({
  seed,
  finding,
  isKilled = false,
  isBehind = false,
  collides = false
}: MoveRun): Promise<MoveVerdict> {
  const random = createRandom(seed)
  const clock = new VirtualClock()
  const basis = finding === 'identity' ? 'identity' : 'fields'
  const mapper = createSimulatedMapper(basis)
  const maxLatencyMs = 1 + random.below(200)
  const maxBehindMs = isBehind ? random.below(2000) : 0
  const shared = { maxBehindMs, maxLatencyMs }
  const lostShare = random.pick([0, 0.05, 0.3])
  const source = new SimulatedContainer(clock, random, {
    name: 'source',
    keyPath: '/pk',
    hasPreviousImages: finding === 'images',
    lostShare: 0,
    ...shared
  })
  const target = new SimulatedContainer(clock, random, {
    name: 'target',
    keyPath: '/key',
    hasPreviousImages: false,
    lostShare,
    ...shared
  })
  const rewound: string[] = []
  target.onApply = (identity, before, after) => {
    const [old, written] = [before?.['version'] as number, after?.['version'] as number]
    if (before?.['pk'] === after?.['pk'] && written < old)
      rewound.push(`${identityText(identity)}: ${old} by ${written}`)
  }
  const failures: string[] = []
  const index = createMemoryIndex()
  let entries: readonly JournalEntry[] = [BEGIN]
  let process: Process | undefined
  let kills = 0
  let repaired = 0
  let version = 0
  /** The time of day of the processes is wrong by this. */
  let aheadMs = 0
  const ids = 1 + random.below(12)

  for (let step = 0; step < random.below(40); step++) write()
  const steps = 20 + random.below(60)
  for (let step = 0; step < steps; step++) {
    if (random.chance(0.6)) for (let count = random.below(6); count > 0; count--) write()
    if (random.chance(0.08)) source.split()
    // the feed of all versions cannot be read after a merge
    if (finding === 'sweep' && random.chance(0.05)) source.merge()
    if (process === undefined || !process.isAlive) start()
    if (isKilled && random.chance(0.2)) kill()
    if (isKilled && random.chance(0.1)) aheadMs = jump(random)
    await pass(random.next() * maxLatencyMs * 8)
  }
  const settledMs = clock.now()
  let isFinished = false
  for (let round = 0; round < 400 && !isFinished; round++) {
    if (process === undefined || !process.isAlive) start()
    if (isKilled && round < 3 && random.chance(0.3)) kill()
    await pass(1000 + maxLatencyMs * 20)
    if (!process!.isAlive) continue
    const { readToEndMs, isCopied } = process!.copier.status
    // the answer of a replica that is behind may lack the newest changes
    if (!isCopied || readToEndMs < settledMs + maxBehindMs) continue
    // as a comparison does before the switch
    if (!(await sweep(process!))) continue
    process!.stop.abort()
    isFinished = await settles(process!.ended)
  }
  return {
    differences: findDifferences(),
    repaired,
    hasLostAnswers: lostShare > 0,
    rewound,
    misjudged: findMisjudged(),
    failures,
    isFinished,
    kills
  }

  async function pass(ms: number): Promise<void> {
    await clock.runUntil(() => false, clock.now() + ms)
  }

  async function settles(work: Promise<void>): Promise<boolean> {
    const state = { isOver: false }
    void work.finally(() => {
      state.isOver = true
    })
    for (let round = 0; round < 100 && !state.isOver; round++) await pass(maxLatencyMs * 10)
    return state.isOver
  }

  /** Compares the containers as `verify` does, and has the differences read again. True if there were none. */
  async function sweep({ copier, journal }: Process): Promise<boolean> {
    const forget = forgetRejected(journal, 'forward', identityText)
    const wrong = findWrong()
    repaired += wrong.length
    for (const { identity, places } of wrong) copier.reconcile(identity, places)
    // documents that cannot be copied are reported, too
    const disagreements = [...wrong, ...findMissing().map((identity) => ({ identity, places: [] }))]
    await forget({ isEqual: disagreements.length === 0, disagreements, unsettled: 0 })
    return settles(copier.idle()).then(() => wrong.length === 0)
  }

  function start(): void {
    const journal = createMemoryJournal({
      entries,
      onMoment: (moment) => {
        entries = journal.entries
        if (isKilled && made.isAlive && random.chance(0.02)) kill(made)
        if (!made.isAlive) throw new Error(`The process ended before ${moment}.`)
      }
    })
    const stop = new AbortController()
    const isAlive = (): boolean => made.isAlive
    const copier = new Copier({
      source: source.open(isAlive),
      target: target.open(isAlive),
      mapper,
      index: finding === 'index' ? index : undefined,
      journal,
      direction: 'forward',
      begin: 'beginning',
      readsVersions: finding !== 'sweep',
      clock,
      wallMs: () => clock.now() + aheadMs,
      random: random.next,
      hashOf: identityText,
      limits: { maxBytes: 42_000, maxRequests: 2, maxItems: 1 + random.below(20), pollMs: 100, saveEveryMs: 300 }
    })
    const made: Process = {
      copier,
      journal,
      stop,
      isAlive: true,
      ended: copier.run(stop.signal).catch((error: unknown) => {
        if (made.isAlive) failures.push(String(error))
      })
    }
    process = made
  }

  function kill(ended: Process | undefined = process): void {
    if (ended === undefined || !ended.isAlive) return
    kills++
    ended.isAlive = false
  }

  /** One change of an application. */
  function write(): void {
    const identity = { key: [`pk-${random.below(3)}`], id: `id-${random.below(ids)}` }
    const current = source.current(identity)
    const meeting = collides ? '' : identity.key[0]
    const group =
      collides && random.chance(0.2) ? null : `group-${random.below(3)}-${basis === 'fields' ? meeting : ''}`
    const body: Body = { id: identity.id, pk: identity.key[0], group, version: ++version, text: random.text(5, 'abc') }
    const choice = random.next()
    if (current === undefined) source.apply(identity, body)
    else if (choice < 0.3) source.apply(identity, undefined, random.chance(0.3))
    // an update of all fields, and one that keeps the key
    else source.apply(identity, choice < 0.5 ? body : { ...body, group: current.body['group'] })
  }

  function findWrong(): readonly { readonly identity: Identity; readonly places: readonly Identity[] }[] {
    const wrong = new Map<string, { readonly identity: Identity; readonly places: Identity[] }>()
    const add = (identity: Identity, place?: Identity): void => {
      const text = identityText(identity)
      const found = wrong.get(text) ?? { identity, places: [] }
      wrong.set(text, found)
      if (place !== undefined) found.places.push(place)
    }
    for (const { identity, body } of source.bodies())
      if (!isRejected(body) && !isThere(body, placeOf(identity, body)) && !isTaken(placeOf(identity, body)))
        add(identity)
    for (const { identity: place, body } of target.bodies()) {
      const owner = ownerOf(body)
      const document = source.current(owner)
      if (document !== undefined && isRejected(document.body)) continue
      if (document === undefined || !isSameIdentity(placeOf(owner, document.body), place)) add(owner, place)
    }
    return [...wrong.values()]
  }

  function findDifferences(): readonly string[] {
    return findWrong().map(({ identity, places }) => `${identityText(identity)} at ${places.map(identityText).join()}`)
  }

  function isThere(body: Body, place: Identity): boolean {
    return target.current(place)?.body['version'] === body['version']
  }

  /** Whether another document has a right to a place, and has it. */
  function isTaken(place: Identity): boolean {
    const copy = target.current(place)?.body
    const owner = copy === undefined ? undefined : source.current(ownerOf(copy))?.body
    if (!collides || copy === undefined || owner === undefined) return false
    return isRejected(owner) || (isSameIdentity(placeOf(ownerOf(copy), owner), place) && isThere(owner, place))
  }

  /** Documents of the source whose copy is not in the target. */
  function findMissing(): readonly Identity[] {
    return source
      .bodies()
      .filter(({ identity, body }) => isRejected(body) || !isThere(body, placeOf(identity, body)))
      .map(({ identity }) => identity)
  }

  function findMisjudged(): readonly string[] {
    const judged = createMemoryJournal({ entries }).state().rejected.forward
    const rejected = findMissing().map(identityText)
    const missing = rejected.filter((text) => !judged.has(text)).map((text) => `not rejected: ${text}`)
    const extra = [...judged.keys()].filter((text) => !rejected.includes(text)).map((text) => `rejected: ${text}`)
    return [...missing, ...extra]
  }

  function placeOf({ key, id }: Identity, body: Body): Identity {
    return { key: [basis === 'identity' ? `${String(key[0])}-${id}` : String(body['group'])], id }
  }
}

const BEGIN: JournalEntry = {
  type: 'begin',
  at: '2026-01-01T00:00:00.000Z',
  from: { name: 'source', rid: 'source' },
  to: { name: 'target', rid: 'target' },
  plan: 'plan'
}

function isRejected(body: Body): boolean {
  return body['group'] === null
}

function ownerOf(copy: Body): Identity {
  return { key: [String(copy['pk'])], id: copy.id }
}
