import type { SinkSettings } from '../../src/config/settings.ts'
import { readMetadata } from '../../src/kafka/consumer-port.ts'
import { assembleSink, type Sink } from '../../src/sink.ts'
import { type GroupState, SinkSwitch } from '../../src/switch/sink-switch.ts'
import { sideInCharge, switchId } from '../../src/switch/switch-record.ts'
import type { Side } from '../../src/write/targets.ts'
import { SIMULATED_SETTINGS } from './run-simulation.ts'
import { SimulatedContainer } from './simulated-container.ts'
import { type Member, SimulatedGroup } from './simulated-group.ts'
import { SimulatedRecord } from './simulated-record.ts'
import { VirtualClock } from './virtual-clock.ts'

/** Result of one schedule with switches. */
export interface SwitchVerdict {
  /** Documents that the container in charge does not have in their newest version. */
  readonly stale: readonly string[]
  /** Writes to the container that was not in charge. */
  readonly misplaced: readonly string[]
  /** Offsets that were committed before their records were written. */
  readonly early: readonly string[]
  readonly failures: readonly string[]
  readonly isFinished: boolean
  /** Rounds that ended with the other container in charge, and those that were called off. */
  readonly switched: number
  readonly canceled: number
}

const ID = switchId('by-vin', 'group')
const PLANS: Readonly<Record<Side, string>> = { source: 'plan-1', target: 'plan-2' }
const SETTINGS = {
  ...SIMULATED_SETTINGS,
  kafka: { ...SIMULATED_SETTINGS.kafka, group: 'group' },
  move: { name: 'by-vin', to: { container: 'others' } }
} as unknown as SinkSettings

interface Process {
  readonly sink: Sink
  readonly member: Member
  isAlive: boolean
}

/** Members join, leave and crash while records flow, and while a move switches them there and back. */
export async function runSwitch(random: () => number): Promise<SwitchVerdict> {
  const clock = new VirtualClock()
  const partitions = 1 + Math.floor(random() * 4)
  const group = new SimulatedGroup(clock, random, partitions, random() < 0.3 ? 0.3 : 0)
  const containers: Readonly<Record<Side, SimulatedContainer>> = {
    source: new SimulatedContainer(clock, random, 40),
    target: new SimulatedContainer(clock, random, 40)
  }
  const record = new SimulatedRecord(clock, random)
  const processes: Process[] = []
  const verdict = { misplaced: [] as string[], early: [] as string[], failures: [] as string[] }
  const production = { isOn: true }
  let count = 0

  for (const side of ['source', 'target'] as const)
    containers[side].onApply = ({ partition, offset }) => {
      if (sideInCharge(record.current) !== side) verdict.misplaced.push(`${side} ${partition}/${offset}`)
    }
  group.onCommit = ({ partition, position }) => {
    for (const { offset } of group.logs[partition]) {
      const isWritten = Object.values(containers).some(({ applied }) => applied.get(partition)?.has(offset))
      if (offset < position && !isWritten) verdict.early.push(`${partition}/${offset} < ${position}`)
    }
  }
  record.onPut = ({ state, to }) => {
    // a move has copied all documents before its final comparison
    if (state === 'switched') {
      const from = containers[to === 'target' ? 'source' : 'target']
      for (const [key, offset] of from.documents) containers[to].documents.set(key, offset)
    }
  }

  const switching = switchThereAndBack()
  for (let step = 0; step < 120; step++) {
    produce()
    if (random() < 0.1 || processes.every(({ isAlive }) => !isAlive)) begin()
    if (random() < 0.04) stopOne()
    if (random() < 0.03) killOne()
    if (random() < 0.04) group.rebalance()
    await clock.runUntil(clock.now() + random() * 100)
  }
  production.isOn = false
  const isFinished = await finish()
  const ends = record.versions.map(({ record: { state } }) => state)
  return {
    ...verdict,
    stale: stale(),
    isFinished,
    switched: ends.filter((state) => state === 'switched').length,
    canceled: ends.filter((state) => state === 'canceled').length
  }

  /** Sometimes the process of the move ends between two steps, and another one repeats or calls off the step. */
  async function switchThereAndBack(): Promise<void> {
    for (let to: Side = 'target'; production.isOn;) {
      await wait(200 + random() * 1500)
      const first = await mover().request(to)
      if (random() < 0.2) await wait(random() * 500)
      const isGoing = first.isDone && random() < 0.8
      if (random() < 0.1 && isGoing) await mover().request(to)
      const last = isGoing ? await mover().complete(to) : await mover().cancel(to)
      if (isGoing && last.isDone) to = to === 'target' ? 'source' : 'target'
      else if (isGoing) await mover().cancel(to)
    }
  }

  function mover(): SinkSwitch {
    return new SinkSwitch({
      id: ID,
      group: 'group',
      records: record.records(0),
      readGroup: () => Promise.resolve(groupState()),
      clock,
      confirmMs: 100 + random() * 3000,
      onStep: () => undefined
    })
  }

  function groupState(): GroupState {
    const all = group.logs.map((_, partition) => {
      const stored = group.committed.get(`${group.topic}/${partition}`)
      const { position, metadata = '' } = stored ?? {}
      return { topic: group.topic, partition, position, metadata, owner: undefined }
    })
    return { isStable: true, partitions: all }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      clock.schedule(ms, resolve)
    })
  }

  function produce(): void {
    for (let left = Math.floor(random() * 8); left > 0; left--) {
      const key = count++ % 23
      group.append(key % partitions, `key-${key}`, '{}')
    }
  }

  function begin(): void {
    const member = group.createConsumer()
    const process: Process = {
      member,
      isAlive: true,
      sink: assembleSink(SETTINGS, {
        clock,
        log: {
          info: () => undefined,
          warn: () => undefined,
          error: (_facts, sentence) => process.isAlive && verdict.failures.push(sentence)
        },
        createConsumer: () => member,
        createDecoder: () => ({
          decode: ({ value, key }) => ({ ok: true, json: value ?? undefined, key }),
          waitingFor: undefined,
          close: () => undefined
        }),
        createDeadLetterWriter: () => undefined,
        createTolerance: () => undefined,
        createSwitchRecords: () => record.records(1500),
        openTarget: (_name, maySend, _onStopped, _onLate, side) =>
          Promise.resolve(containers[side].createTarget(() => process.isAlive, maySend, PLANS[side]))
      })
    }
    processes.push(process)
    void process.sink.start()
  }

  function alive(): Process | undefined {
    const candidates = processes.filter(({ isAlive, sink }) => isAlive && sink.state === 'running')
    return candidates[Math.floor(random() * candidates.length)]
  }

  function stopOne(): void {
    const process = alive()
    void process?.sink.stop().then(() => {
      process.isAlive = false
      return undefined
    })
  }

  function killOne(): void {
    const process = alive()
    if (process === undefined) return
    process.isAlive = false
    process.member.kill()
    clock.schedule(50 + random() * 100, () => group.leave(process.member))
  }

  async function finish(): Promise<boolean> {
    let isOver = false
    void switching.then(() => {
      isOver = true
      return undefined
    })
    for (let round = 0; round < 400; round++) {
      const isDone = group.logs.every((log, partition) => {
        const { position = 0, metadata = '' } = group.committed.get(`${group.topic}/${partition}`) ?? {}
        return log.length === 0 || (position > log.at(-1)!.offset && readMetadata(metadata)?.drained === undefined)
      })
      if (isOver && isDone) return true
      if (processes.every(({ isAlive }) => !isAlive)) begin()
      await clock.runUntil(clock.now() + 100)
    }
    return false
  }

  function stale(): readonly string[] {
    const { documents } = containers[sideInCharge(record.current)]
    const expected = new Map<string, number>()
    for (const { key, offset } of group.logs.flat()) expected.set(Buffer.from(key!).toString(), offset)
    return [...expected].flatMap(([key, offset]) =>
      documents.get(key) === offset ? [] : [`${key}: ${documents.get(key)} for ${offset}`]
    )
  }
}
