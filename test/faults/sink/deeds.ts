import type { FaultRule } from '@keystamp/emulator'
import { wasTaken } from './ownership.ts'
import type { GroupState, ScenarioWorld } from './scenario-world.ts'
import type { SinkProcess, StopPoint } from './sink-process.ts'

/** Something that is done to the sinks or to the world. */
export type Deed =
  /** A sink of this name joins; done when it has partitions. */
  | { readonly start: string }
  /** SIGTERM; done when it has ended. */
  | { readonly stop: string }
  /** SIGKILL. */
  | { readonly kill: string }
  /** SIGSTOP. */
  | { readonly freeze: string }
  /** SIGCONT. */
  | { readonly thaw: string }
  /** Lets a sink stop itself, as by SIGSTOP, when its code next comes to this point. */
  | { readonly arm: { readonly sink: string; readonly at: StopPoint } }
  /** Waits until a sink has come to the point that was armed; `thaw` continues it. */
  | { readonly untilStopped: { readonly sink: string; readonly at: StopPoint } }
  /** Waits until the coordinator says that the group is in this state. */
  | { readonly untilGroupIs: GroupState }
  /** Cuts the connections of a sink to Cosmos DB, and lets new ones wait for their TLS handshake. */
  | { readonly holdConnections: string }
  /** Lets those connections open. */
  | { readonly releaseConnections: string }
  | { readonly waitMs: number }
  /** Waits until the group has committed this number of records. */
  | { readonly untilCommitted: number }
  /** Waits until this number of writes was applied. */
  | { readonly untilApplied: number }
  /** Waits until a sink was told its partitions so often. */
  | { readonly untilAssigned: { readonly sink: string; readonly times: number } }
  /** Waits until a sink has committed: it has claimed what it owns. */
  | { readonly untilClaimed: string }
  /** Waits until another sink has claimed a partition that this one had when it was stopped at an armed point. */
  | { readonly untilTaken: string }
  | { readonly fault: FaultRule }
  | { readonly split: string }
  | { readonly throttle: boolean }
  | { readonly addPartitions: number }
  /** Waits until a sink has ended by itself. */
  | { readonly untilEnded: string }
  /** The dead letter topic refuses everything, or nothing any more. */
  | { readonly lettersTake: boolean }
  | { readonly registryDown: boolean }
  /** SIGKILL to a broker, by its number from 1. */
  | { readonly killBroker: number }
  | { readonly restartBroker: number }
  | 'calm'
  | 'deleteTopic'
  | 'deleteLetterTopic'
  | 'createLetterTopic'

/** Does one after another. */
export async function doAll(deeds: readonly Deed[], world: ScenarioWorld): Promise<void> {
  for (const deed of deeds) {
    try {
      await doOne(deed, world)
    } catch (error) {
      throw new Error(`${JSON.stringify(deed)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}

async function doOne(deed: Deed, world: ScenarioWorld): Promise<void> {
  if (typeof deed === 'string') return doPlain(deed, world)
  const { emulator } = world
  if ('start' in deed) return world.start(deed.start)
  if ('stop' in deed) return (await named(deed.stop, world)).stop()
  if ('kill' in deed) return (await named(deed.kill, world)).signal('SIGKILL')
  if ('freeze' in deed) return (await named(deed.freeze, world)).signal('SIGSTOP')
  if ('thaw' in deed) return (await named(deed.thaw, world)).signal('SIGCONT')
  if ('arm' in deed) return (await named(deed.arm.sink, world)).arm(deed.arm.at)
  if ('untilStopped' in deed) {
    const sink = await named(deed.untilStopped.sink, world)
    return until(async () => (await sink.stops()).includes(deed.untilStopped.at))
  }
  if ('untilGroupIs' in deed) return until(async () => (await world.groupState()) === deed.untilGroupIs)
  if ('holdConnections' in deed) return world.gates.get(deed.holdConnections)!.hold()
  if ('releaseConnections' in deed) return world.gates.get(deed.releaseConnections)!.release()
  if ('waitMs' in deed) return wait(deed.waitMs)
  if ('untilCommitted' in deed) return until(async () => (await world.committedCount()) >= deed.untilCommitted)
  if ('untilApplied' in deed) return until(async () => emulator.operations().length >= deed.untilApplied)
  if ('untilAssigned' in deed) {
    const sink = await named(deed.untilAssigned.sink, world)
    return until(async () => sink.assignments() >= deed.untilAssigned.times)
  }
  if ('untilClaimed' in deed) {
    const sink = await named(deed.untilClaimed, world)
    return until(async () => {
      const { identity } = await sink.notes()
      return identity !== undefined && (await world.commits()).some(({ by }) => by === identity)
    })
  }
  if ('untilTaken' in deed) {
    const sink = await named(deed.untilTaken, world)
    return until(() => isTaken(sink, world))
  }
  if ('fault' in deed) return void emulator.faults.inject(deed.fault)
  if ('killBroker' in deed) return world.own!.kill(deed.killBroker)
  if ('restartBroker' in deed) return world.own!.restart(deed.restartBroker)
  if ('split' in deed) return void (await emulator.split('db', 'things', deed.split))
  if ('throttle' in deed) return emulator.throttle(deed.throttle)
  if ('addPartitions' in deed) return world.addPartitions(deed.addPartitions)
  if ('untilEnded' in deed) {
    const sink = await named(deed.untilEnded, world)
    return until(async () => sink.code() !== undefined)
  }
  // all later records are older than that
  if ('lettersTake' in deed) return world.setLetterTopic(deed.lettersTake ? {} : { 'message.timestamp.before.max.ms': '1' })
  world.registry!.down(deed.registryDown)
}

/** Another deed may still be starting it. */
async function named(name: string, { sinks }: ScenarioWorld): Promise<SinkProcess> {
  await until(async () => sinks.has(name))
  const sink = sinks.get(name)!
  await sink.ready
  return sink
}

async function isTaken(sink: SinkProcess, world: ScenarioWorld): Promise<boolean> {
  const { stop, identity } = await sink.notes()
  if (stop === undefined || identity === undefined) return false
  return wasTaken(await world.commits(), { from: identity, stoppedMs: stop.atMs })
}

async function doPlain(deed: Extract<Deed, string>, world: ScenarioWorld): Promise<void> {
  switch (deed) {
    case 'calm':
      return world.calm()
    case 'deleteTopic':
      return world.kafka.deleteTopic(world.topic)
    case 'deleteLetterTopic':
      return world.kafka.deleteTopic(world.letterTopic)
    case 'createLetterTopic':
      return world.createLetterTopic()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It did not happen within ${PATIENCE_MS / 1000} s.`)
    await wait(50)
  }
}

const PATIENCE_MS = 60_000

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
