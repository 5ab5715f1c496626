import type { FaultRule } from '@keystamp/emulator'
import { wasTaken } from './ownership.ts'
import type { GroupState, ScenarioWorld } from './scenario-world.ts'
import type { SinkProcess, StopPoint } from './sink-process.ts'

/** An action of a scenario on a sink, on Kafka or on the emulator. */
export type Action =
  /** Starts a sink with this name; done when the sink has partitions. */
  | { readonly start: string }
  /** SIGTERM; done when the sink has ended. */
  | { readonly stop: string }
  /** SIGKILL. */
  | { readonly kill: string }
  /** SIGSTOP. */
  | { readonly freeze: string }
  /** SIGCONT. */
  | { readonly thaw: string }
  /** Makes a sink suspend itself, as by SIGSTOP, when its code next reaches this point. */
  | { readonly arm: { readonly sink: string; readonly at: StopPoint } }
  /** Waits until a sink has reached the armed point; `thaw` continues the sink. */
  | { readonly untilStopped: { readonly sink: string; readonly at: StopPoint } }
  /** Waits until the coordinator reports this state of the group. */
  | { readonly untilGroupIs: GroupState }
  /** Cuts the connections of a sink to Cosmos DB, and delays the TLS handshake of new ones. */
  | { readonly holdConnections: string }
  /** Lets the delayed connections open. */
  | { readonly releaseConnections: string }
  | { readonly waitMs: number }
  /** Waits until the group has committed this number of records. */
  | { readonly untilCommitted: number }
  /** Waits until this number of writes was applied. */
  | { readonly untilApplied: number }
  /** Waits until the faults have hit this number of requests. */
  | { readonly untilStruck: number }
  /** Waits until a sink has logged this number of assignments. */
  | { readonly untilAssigned: { readonly sink: string; readonly times: number } }
  /** Waits until a sink has committed, and so has claimed its partitions. */
  | { readonly untilClaimed: string }
  /** Waits until another sink has claimed a partition that this sink owned when it was suspended at an armed point. */
  | { readonly untilTaken: string }
  | { readonly fault: FaultRule }
  | { readonly split: string }
  | { readonly throttle: boolean }
  | { readonly addPartitions: number }
  /** Waits until a sink has ended by itself. */
  | { readonly untilEnded: string }
  /** Whether the dead-letter topic accepts records. */
  | { readonly acceptDeadLetters: boolean }
  | { readonly registryDown: boolean }
  /** SIGKILL to a broker, by its number from 1. */
  | { readonly killBroker: number }
  | { readonly restartBroker: number }
  /** SIGKILL to the broker that coordinates the group at that moment. */
  | 'killCoordinator'
  /** SIGSTOP to that broker: it answers nothing, and its connections stay open. */
  | 'freezeCoordinator'
  /** SIGCONT to all brokers. */
  | 'thawBrokers'
  /** Waits until every replica is in sync again. */
  | 'untilInSync'
  | 'calm'
  | 'deleteTopic'
  | 'deleteDeadLetterTopic'
  | 'createDeadLetterTopic'

/** Runs the actions one after another. */
export async function doAll(actions: readonly Action[], world: ScenarioWorld): Promise<void> {
  for (const action of actions) {
    try {
      await doOne(action, world)
    } catch (error) {
      throw new Error(`${JSON.stringify(action)}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error
      })
    }
  }
}

async function doOne(action: Action, world: ScenarioWorld): Promise<void> {
  if (typeof action === 'string') return doPlain(action, world)
  const { emulator } = world
  if ('start' in action) return world.start(action.start)
  if ('stop' in action) return (await named(action.stop, world)).stop()
  if ('kill' in action) return (await named(action.kill, world)).signal('SIGKILL')
  if ('freeze' in action) return (await named(action.freeze, world)).signal('SIGSTOP')
  if ('thaw' in action) return (await named(action.thaw, world)).signal('SIGCONT')
  if ('arm' in action) return (await named(action.arm.sink, world)).arm(action.arm.at)
  if ('untilStopped' in action) {
    const sink = await named(action.untilStopped.sink, world)
    return until(async () => (await sink.stops()).includes(action.untilStopped.at))
  }
  if ('untilGroupIs' in action) return until(async () => (await world.groupState()) === action.untilGroupIs)
  if ('holdConnections' in action) return world.gates.get(action.holdConnections)!.hold()
  if ('releaseConnections' in action) return world.gates.get(action.releaseConnections)!.release()
  if ('waitMs' in action) return wait(action.waitMs)
  if ('untilCommitted' in action) return until(async () => (await world.committedCount()) >= action.untilCommitted)
  if ('untilApplied' in action) return until(async () => emulator.operations().length >= action.untilApplied)
  if ('untilStruck' in action) return until(async () => world.struck() >= action.untilStruck)
  if ('untilAssigned' in action) {
    const sink = await named(action.untilAssigned.sink, world)
    return until(async () => sink.assignments() >= action.untilAssigned.times)
  }
  if ('untilClaimed' in action) {
    const sink = await named(action.untilClaimed, world)
    return until(async () => {
      const { identity } = await sink.notes()
      return identity !== undefined && (await world.commits()).some(({ by }) => by === identity)
    })
  }
  if ('untilTaken' in action) {
    const sink = await named(action.untilTaken, world)
    return until(() => isTaken(sink, world))
  }
  if ('fault' in action) return void emulator.faults.inject(action.fault)
  if ('killBroker' in action) return world.own!.kill(action.killBroker)
  if ('restartBroker' in action) return world.own!.restart(action.restartBroker)
  if ('split' in action) return void (await emulator.split('db', 'things', action.split))
  if ('throttle' in action) return emulator.throttle(action.throttle)
  if ('addPartitions' in action) return world.addPartitions(action.addPartitions)
  if ('untilEnded' in action) {
    const sink = await named(action.untilEnded, world)
    return until(async () => sink.code() !== undefined)
  }
  // with 1 ms, the broker refuses every later record as too old
  if ('acceptDeadLetters' in action)
    return world.setDeadLetterTopic(action.acceptDeadLetters ? {} : { 'message.timestamp.before.max.ms': '1' })
  if (!('registryDown' in action)) throw unknownAction(action)
  world.registry!.down(action.registryDown)
}

/** Waits for the sink, since another action may still be starting it. */
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

async function doPlain(action: Extract<Action, string>, world: ScenarioWorld): Promise<void> {
  switch (action) {
    case 'killCoordinator':
      return world.own!.kill(await world.coordinator())
    case 'freezeCoordinator':
      return world.own!.freeze(await world.coordinator())
    case 'untilInSync':
      return world.untilInSync()
    case 'thawBrokers':
      return world.own!.thaw()
    case 'calm':
      return world.calm()
    case 'deleteTopic':
      return world.kafka.deleteTopic(world.topic)
    case 'deleteDeadLetterTopic':
      return world.kafka.deleteTopic(world.deadLetterTopic)
    case 'createDeadLetterTopic':
      return world.createDeadLetterTopic()
    // the compiler does not check scenario files
    default:
      throw unknownAction(action)
  }
}

function unknownAction(action: never): Error {
  return new Error(`There is no action ${JSON.stringify(action)}.`)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${TIMEOUT_MS / 1000} s.`)
    await wait(50)
  }
}

const TIMEOUT_MS = 60_000

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
