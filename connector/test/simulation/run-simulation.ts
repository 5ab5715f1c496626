import type { SinkSettings } from '../../src/config/settings.ts'
import { assembleSink } from '../../src/sink.ts'
import type { Decoded, Decoder } from '../../src/decode/decoder.ts'
import type { DeadLetterWriter } from '../../src/dead-letter/dead-letter-writer.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import type { Sink } from '../../src/sink.ts'
import { isPoison, SimulatedContainer } from './simulated-container.ts'
import { type Member, SimulatedGroup } from './simulated-group.ts'
import { SimulatedProcesses } from './simulated-processes.ts'
import { VirtualClock } from './virtual-clock.ts'

/** Result of one schedule. */
export interface Verdict {
  /** Records without an outcome. */
  readonly lost: readonly string[]
  /** Documents that do not contain the newest record of their key. */
  readonly stale: readonly string[]
  /** Documents that were overwritten by an older value after a newer one was committed. */
  readonly rewound: readonly string[]
  /** Partitions whose committed offset moved back. */
  readonly movedBack: readonly string[]
  /** Offsets that were committed before all records before them had an outcome. */
  readonly early: readonly string[]
  /** Invalid records without a copy, and copies of valid records. */
  readonly misjudged: readonly string[]
  readonly failures: readonly string[]
  readonly isFinished: boolean
}

export interface SimulationOptions {
  readonly changes?: Partial<SinkSettings>
  /** Fraction of generations that are formed without one of the joined members, from 0 to 1. Default: 0. */
  readonly missShare?: number
}

/**
 * Members join, leave, crash and get other partitions while records flow. Then the simulation waits until all records
 * have an outcome.
 */
export async function runSimulation(
  random: () => number,
  { changes = {}, missShare = 0 }: SimulationOptions = {}
): Promise<Verdict> {
  const clock = new VirtualClock()
  const partitions = 1 + Math.floor(random() * 5)
  const group = new SimulatedGroup(clock, random, partitions, missShare)
  const container = new SimulatedContainer(clock, random, 40)
  const copies = new Set<string>()
  const early: string[] = []
  const rewound: string[] = []
  const movedBack: string[] = []
  const failures: string[] = []
  const processes = new SimulatedProcesses({ clock, random, group, createSink: createOne })
  const committedOf = (partition: number): number => group.committed.get(`${group.topic}/${partition}`)?.position ?? 0
  container.onApply = ({ key, partition, offset }) => {
    const held = container.documents.get(Buffer.from(key!).toString()) ?? -1
    if (offset < held && held < committedOf(partition)) rewound.push(`${partition}: ${offset} after ${held}`)
  }
  group.onCommit = ({ partition, position }) => {
    if (position < committedOf(partition)) movedBack.push(`${partition}: ${position} after ${committedOf(partition)}`)
    for (const { offset } of group.logs[partition]) {
      if (offset < position && !container.applied.get(partition)?.has(offset))
        early.push(`${partition}/${offset} < ${position}`)
    }
  }

  const keys = 1 + Math.floor(random() * 30)
  for (let step = 0; step < 40; step++) {
    produce()
    if (random() < 0.15 || processes.areAllDead) processes.begin()
    if (random() < 0.08) processes.stopOne()
    if (random() < 0.06) processes.killOne()
    if (random() < 0.08) group.rebalance()
    await clock.runUntil(clock.now() + random() * 60)
  }
  if (processes.areAllDead) processes.begin()
  const isFinished = await finish()
  return { lost: lost(), stale: stale(), rewound, movedBack, early, misjudged: misjudged(), failures, isFinished }

  function produce(): void {
    for (let count = Math.floor(random() * 25); count > 0; count--) {
      const key = Math.floor(random() * keys)
      // all records of a document are in one partition, as with the key of a producer
      group.append(key % partitions, `key-${key}`, random() < 0.03 ? 'poison' : '{}')
    }
  }

  function createOne(member: Member, isAlive: () => boolean): Sink {
    return assembleSink({ ...SIMULATED_SETTINGS, ...changes } as SinkSettings, {
      clock,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (_facts, sentence) => isAlive() && failures.push(sentence)
      },
      createConsumer: () => member,
      createDecoder: () => createSlowDecoder(clock, random),
      createDeadLetterWriter: () => deadLetterWriter(isAlive),
      createTolerance: () => undefined,
      openTarget: (_container, maySend) => Promise.resolve(container.createTarget(isAlive, maySend))
    })
  }

  async function finish(): Promise<boolean> {
    for (let round = 0; round < 200; round++) {
      if (group.logs.every((log, partition) => isDone(log, partition))) return true
      if (processes.areAllDead) processes.begin()
      await clock.runUntil(clock.now() + 100)
    }
    return false
  }

  function isDone(log: readonly SinkRecord[], partition: number): boolean {
    return log.length === 0 || committedOf(partition) > log.at(-1)!.offset
  }

  function lost(): readonly string[] {
    return group.logs
      .flat()
      .flatMap(({ partition, offset }) =>
        container.applied.get(partition)?.has(offset) ? [] : [`${partition}/${offset}`]
      )
  }

  function stale(): readonly string[] {
    const expected = new Map<string, number>()
    for (const record of group.logs.flat())
      if (!isPoison(record)) expected.set(Buffer.from(record.key!).toString(), record.offset)
    return [...expected].flatMap(([key, offset]) =>
      container.documents.get(key) === offset ? [] : [`${key}: ${container.documents.get(key)} for ${offset}`]
    )
  }

  function misjudged(): readonly string[] {
    const poison = new Set(
      group.logs
        .flat()
        .filter(isPoison)
        .map(({ partition, offset }) => `${partition}/${offset}`)
    )
    return [...poison].filter((name) => !copies.has(name)).concat([...copies].filter((name) => !poison.has(name)))
  }

  function deadLetterWriter(isAlive: () => boolean): DeadLetterWriter {
    return {
      send: (record) =>
        new Promise((resolve) => {
          clock.schedule(random() * 30, () => {
            if (!isAlive()) return
            copies.add(`${record.partition}/${record.offset}`)
            container.reject(record)
            resolve()
          })
        }),
      check: () => Promise.resolve(),
      waitingFor: undefined,
      close: () => Promise.resolve()
    }
  }
}

/** A decoder that waits for the schema of some records. */
export function createSlowDecoder(clock: VirtualClock, random: () => number): Decoder {
  return {
    decode: (record) => {
      const decoded: Decoded = { ok: true, json: record.value ?? undefined, key: record.key }
      if (random() > 0.02) return decoded
      return new Promise((resolve) => {
        clock.schedule(random() * 20, () => resolve(decoded))
      })
    },
    waitingFor: undefined,
    close: () => undefined
  }
}

/** The settings that a simulation needs. */
export const SIMULATED_SETTINGS = {
  name: 'simulated',
  kafka: { handoverMs: 60, topics: ['things'] },
  cosmos: { container: 'things', requestTimeoutMs: 500 },
  write: { atomic: false },
  rejects: { policy: 'copy' },
  commit: { everyRecords: 20, everyMs: 50 },
  acceptPlanChange: false,
  maxBytes: 20_000,
  stallMs: 10_000,
  shutdownMs: 5000
} as const
