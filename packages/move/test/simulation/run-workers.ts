import { createRandom, VirtualClock } from '@keystamp/testkit'
import { identityText } from '../../src/documents/identity.ts'
import type { Direction } from '../../src/journal/journal.ts'
import type { SharedMove } from '../../src/leases/shared-move.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import { Application, nameOf } from './application.ts'
import { createMemoryContents, type MemoryContents } from './memory-index.ts'
import { SimulatedContainer } from './simulated-container.ts'
import { LEASE_MS, MAX_REQUEST_AGE_MS, openSimulatedMove } from './simulated-shared-move.ts'
import { SimulatedWorker } from './simulated-worker.ts'

export interface WorkersRun {
  readonly seed: number
  readonly workers: number
  /** Whether workers end, stand still, and see their clocks jump. */
  readonly isDisturbed: boolean
  /** Whether the application returns to the old container, and switches again. */
  readonly returns?: boolean
  /** Whether deleted copies leave markers. Default: false. */
  readonly isFenced?: boolean
  /** Default: true. Without them, each worker knows the former places of the copies that it has written. */
  readonly hasPreviousImages?: boolean
}

export interface WorkersVerdict {
  /** Documents of the application that the containers do not have. */
  readonly lost: readonly string[]
  readonly failures: readonly string[]
  /** Differences that were found after the writes of the application had ended. */
  readonly repaired: number
  /** Whether a request may have been applied after the lease of its sender had ended, or twice. */
  readonly hasLateRequests: boolean
  readonly isFinished: boolean
  /** Most workers that have copied at the same time. */
  readonly copying: number
  /** The same after the switch. */
  readonly copyingBack: number
  /** Changes of the move in the old container that were taken for those of others. */
  readonly stragglers: number
  readonly documents: Readonly<Record<string, unknown>>
  readonly kills: number
  readonly freezes: number
}

const NONE: ReadonlySet<string> = new Set()

interface RunningWorker {
  readonly process: SimulatedWorker
  readonly move: SharedMove
  /** On the disk of its machine. */
  readonly contents: MemoryContents
}

/** Several processes share a move, while an application writes. At the end, the move is switched. */
export async function runWorkers({
  seed,
  workers,
  isDisturbed,
  returns = false,
  isFenced = false,
  hasPreviousImages = true
}: WorkersRun): Promise<WorkersVerdict> {
  const random = createRandom(seed)
  // the same writes for any number of workers
  const writes = createRandom(seed + 1)
  const clock = new VirtualClock()
  const basis = seed % 2 === 0 ? 'identity' : 'fields'
  const maxLatencyMs = 1 + random.below(100)
  const lostShare = isDisturbed ? random.pick([0, 0.05]) : 0
  const shared = {
    maxBehindMs: isDisturbed ? random.below(1000) : 0,
    maxLatencyMs,
    lostShare,
    hasPreviousImages,
    ...(isFenced ? { maxRequestAgeMs: MAX_REQUEST_AGE_MS } : {})
  }
  const containers: Record<Direction, SimulatedContainer> = {
    forward: new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared, lostShare: 0 }),
    back: new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  }
  const leases = new SimulatedContainer(clock, random, { name: 'leases', keyPath: '/id', ...shared })
  const app = new Application(writes, containers, basis)
  const failures: string[] = []
  const late = new Set<string>()
  for (const container of Object.values(containers)) container.onLate = (body) => late.add(identityText(nameOf(body)))
  const running: RunningWorker[] = []
  let names = 0
  let kills = 0
  let freezes = 0
  let repaired = 0
  let copying = 0
  let copyingBack = 0
  let stragglers = 0

  for (let step = 0; step < 30; step++) app.write()
  for (let count = 0; count < 3; count++) containers.forward.split()
  for (let count = 0; count < workers; count++) start()
  for (let step = 0; step < 60; step++) {
    for (let count = writes.below(4); count > 0; count--) app.write()
    if (random.chance(0.05)) containers[random.pick<Direction>(['forward', 'back'])].split()
    if (isDisturbed) disturb(step)
    await pass(random.next() * 2000)
    const busy = running.filter(({ process, move }) => process.isAlive() && move.held > 0)
    copying = Math.max(copying, busy.length)
  }
  let isFinished = await reach('switch', 'reverse')
  if (returns && isFinished) await writeInReverse()
  for (const command of returns && isFinished ? (['back', 'switch'] as const) : []) {
    for (let count = 0; count < 5; count++) app.write()
    isFinished &&= await reach(command, command === 'back' ? 'follow' : 'reverse')
  }
  // all writes come before the last switch, or before the end, so both containers must have them
  await pass(5 * LEASE_MS)
  if (returns && isFinished) {
    for (let count = 0; count < 5; count++) app.write()
    // only a comparison finds all deletes then
    if (!hasPreviousImages) await compareSome()
    isFinished = await finish()
  }
  return {
    lost: app.lost(isFenced ? NONE : late),
    failures,
    repaired,
    hasLateRequests: lostShare > 0 || late.size > 0,
    isFinished,
    copying,
    copyingBack,
    stragglers,
    documents: Object.fromEntries(
      containers.back.bodies().map(({ identity, body }) => [identityText(identity), body['version']])
    ),
    kills,
    freezes
  }

  /** The application writes to the new container, while workers copy back. */
  async function writeInReverse(): Promise<void> {
    for (let count = 0; count < 3; count++) containers.back.split()
    for (let step = 0; step < 40; step++) {
      for (let count = writes.below(4); count > 0; count--) app.write()
      if (random.chance(0.05)) containers[random.pick<Direction>(['forward', 'back'])].split()
      if (isDisturbed && step < 30) disturb()
      await pass(random.next() * 2000)
      const busy = running.filter(({ process, move }) => process.isAlive() && move.held > 0)
      copyingBack = Math.max(copyingBack, busy.length)
    }
    for (const { process, move } of running)
      if (process.isAlive()) stragglers = Math.max(stragglers, move.status.stragglers)
  }

  async function pass(ms: number): Promise<void> {
    // time passes even if all workers stand still
    clock.schedule(ms, () => {})
    await clock.runUntil(() => false, clock.now() + ms)
  }

  /** Asks for a step until it is done. */
  async function reach(command: 'switch' | 'back', phase: string): Promise<boolean> {
    for (let round = 0; round < 150; round++) {
      const leader = running.find(({ process, move }) => process.isAlive() && move.isCoordinator)
      if (leader?.move.status.phase === phase && !app.isFrozen) return true
      void leader?.move.request(command)
      if (isDisturbed && round < 10) disturb()
      await pass(5000)
    }
    return false
  }

  async function compareSome(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      const leader = running.find(({ process, move }) => process.isAlive() && move.isCoordinator)
      void leader?.move.request('compare')
      await pass(2 * LEASE_MS)
    }
  }

  async function finish(): Promise<boolean> {
    for (let round = 0; round < 50; round++) {
      const alive = running.filter(({ process }) => process.isAlive())
      if (alive.every(({ move }) => move.journal.state().phase === 'finished')) return true
      void alive.find(({ move }) => move.isCoordinator)?.move.request('finish')
      await pass(5000)
    }
    return false
  }

  /** At least one process ends, and at least one stands still. */
  function disturb(step: number = -1): void {
    const alive = running.filter(({ process }) => process.isAlive())
    const { process: one, contents } = random.pick(alive)
    if (step === 20 || random.chance(0.05)) {
      kills++
      one.kill()
      start(contents)
    }
    if (step === 25 || random.chance(0.05)) freeze(one)
    if (random.chance(0.05)) one.jump()
  }

  function freeze(process: SimulatedWorker): void {
    freezes++
    process.freeze(random.next() * 4 * LEASE_MS)
  }

  /** Starts a process, on the machine of one that has ended. */
  function start(contents: MemoryContents = createMemoryContents()): void {
    const process: SimulatedWorker = new SimulatedWorker(clock, random, () => {
      if (!isDisturbed || !random.chance(0.002)) return 0
      freezes++
      return random.next() * 4 * LEASE_MS
    })
    const name = `worker-${++names}`
    const move = openSimulatedMove({
      process,
      name,
      containers,
      leases,
      basis,
      isFenced,
      limits: { replicaLagMs: 2000, drainMs: 60_000, compareEveryMs: 20_000 },
      copyLimits: { maxBytes: 63_000, maxRequests: 2, maxItems: 1 + random.below(20), pollMs: 100, saveEveryMs: 300 },
      compare: (direction, isFrozen) => compare(direction, process, isFrozen),
      runHook: async (hook, { direction }) => {
        await wait(process)
        app.run(hook, direction)
        await wait(process)
        return { isDone: true }
      },
      notPostponed: async () => wait(process),
      written: contents.open(),
      onError: (error) => failures.push(String(error))
    })
    running.push({ process, move, contents })
    move.run(new AbortController().signal).catch((error: unknown) => {
      if (process.isAlive()) failures.push(`${name}: ${String(error)}`)
    })
  }

  async function wait({ isAlive, moves }: SimulatedWorker): Promise<void> {
    await clock.sleep(random.next() * maxLatencyMs)
    await moves()
    if (!isAlive()) await new Promise<never>(() => {})
  }

  async function compare(direction: Direction, process: SimulatedWorker, isFrozen: boolean): Promise<Comparison> {
    await wait(process)
    const disagreements = app.disagreements(direction)
    if (isFrozen) repaired += disagreements.length
    await wait(process)
    return { isEqual: disagreements.length === 0, disagreements, unsettled: 0 }
  }
}
