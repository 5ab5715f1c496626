import { createRandom, type StoredRecord, type TopicRecord } from '@keystamp/testkit'
import avro from 'avsc'
import { type StoredDocument, storedDocuments } from '../../e2e/sink/documents.ts'
import { doAll } from './actions.ts'
import { openWorld, type ScenarioWorld } from './scenario-world.ts'
import type { Scenario } from './scenario.ts'
import type { LateReport } from './late-requests.ts'
import type { SinkCommit } from './ownership.ts'
import { type Applied, type NotesOfSink, toApplied } from './applied-writes.ts'
import type { SinkStop } from './sink-process.ts'
import { createWorkload, type Produced } from './workload.ts'

/** Committed offsets at one moment, and the documents and copies directly after. */
export interface Sample {
  readonly committed: ReadonlyMap<number, number>
  readonly stored: ReadonlyMap<string, number>
  /** How many copies of rejected records there were. */
  readonly letters: number
  /**
   * When reading the store began, after what was committed was known, and when it ended; in milliseconds since 1970.
   */
  readonly fromMs: number
  readonly atMs: number
}

export interface SinkResult {
  readonly code: number | null | undefined
  /** By the scenario. */
  readonly wasKilled: boolean
  readonly said: string
  readonly assignments: number
  readonly late: LateReport
  /** How an armed point first stopped it. */
  readonly stop: SinkStop | undefined
}

export interface ScenarioResult {
  readonly produced: readonly (Produced & { readonly offset: number })[]
  readonly applied: readonly Applied[]
  readonly stored: readonly StoredDocument[]
  readonly letters: readonly string[]
  readonly ends: ReadonlyMap<number, number>
  readonly committed: ReadonlyMap<number, number>
  /** Every commit of the group, in the order of the broker. */
  readonly commits: readonly SinkCommit[]
  readonly samples: readonly Sample[]
  readonly sinks: ReadonlyMap<string, SinkResult>
  readonly struck: number
}

/** Plays a scenario: the same records for the same seed; what happens when is up to the machine. */
export async function runScenario(scenario: Scenario, seed: number, brokers: string): Promise<ScenarioResult> {
  const { next: random } = createRandom(seed)
  const world = await openWorld(scenario, brokers, random)
  try {
    return await play(scenario, world, random)
  } catch (error) {
    throw new BrokenRun(error, await whatIsKnown(world))
  } finally {
    await world.close()
  }
}

/** A run that could not be played to its end. */
export class BrokenRun extends Error {
  /** Log entries of its sinks, and the commits of their group. */
  readonly known: WhatIsKnown

  constructor(error: unknown, known: WhatIsKnown) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    this.known = known
  }
}

interface WhatIsKnown {
  readonly sinks: ReadonlyMap<string, Pick<SinkResult, 'said'>>
  readonly commits: readonly unknown[]
}

async function whatIsKnown({ sinks, commits }: ScenarioWorld): Promise<WhatIsKnown> {
  return {
    sinks: new Map([...sinks].map(([name, sink]) => [name, { said: sink.said() }])),
    commits: await commits().catch(() => [])
  }
}

async function play(scenario: Scenario, world: ScenarioWorld, random: () => number): Promise<ScenarioResult> {
  const workload = createWorkload({ random, poison: scenario.poison ?? 0.01, encode: encoderFor(world) })
  for (const fault of scenario.faults ?? []) world.emulator.faults.inject(fault)
  const happening: Promise<void>[] = []
  const samples: Sample[] = []
  const sampling = sampleOften(world, samples)
  try {
    await happen(0)
    for (let count = 0; count < (scenario.records ?? RECORDS); count += CHUNK) {
      await produce(world, workload.next(CHUNK, world.partitions()), scenario, random)
      await happen(count + CHUNK)
      await wait(PACE_MS)
    }
    await Promise.all(happening)
    if (scenario.expect?.isTopicGone !== true) await untilAllIsCommitted(world)
    else await untilAllHaveEnded(world)
  } finally {
    await sampling.stop()
  }
  await Promise.all([...world.sinks.values()].map((sink) => sink.stop()))
  return collect(scenario, world, workload.produced, samples)

  async function happen(count: number): Promise<void> {
    for (const { after, hold, do: actions } of scenario.happenings ?? START) {
      if (after <= count && after > count - CHUNK) {
        const done = doAll(actions, world)
        // failures are reported at the end
        done.catch(() => {})
        happening.push(done)
        if (hold === true || after === 0) await done
      }
    }
  }
}

const START: NonNullable<Scenario['happenings']> = [{ after: 0, do: [{ start: 'first' }] }]
const RECORDS = 1500
const CHUNK = 50
const PACE_MS = 60

const SCHEMA = {
  type: 'record',
  name: 'Thing',
  fields: [
    { name: 'mark', type: 'int' },
    { name: 'text', type: 'string' }
  ]
}

function encoderFor({
  registry,
  topic
}: ScenarioWorld): (document: { readonly mark: number; readonly text: string }) => Buffer {
  if (registry === undefined) return (document) => Buffer.from(JSON.stringify(document))
  const type = avro.Type.forSchema(SCHEMA as never)
  const head = Buffer.alloc(5)
  head.writeInt32BE(registry.register(`${topic}-value`, JSON.stringify(SCHEMA)), 1)
  return (document) => Buffer.concat([head, type.toBuffer(document)])
}

async function produce(
  { kafka, topic }: ScenarioWorld,
  records: readonly TopicRecord[],
  { transactions }: Scenario,
  random: () => number
): Promise<void> {
  if (transactions !== true) return kafka.produce(topic, records)
  if (random() < ABORTED)
    await kafka.produceTransaction(topic, [{ key: 'p0-d0', value: '{"mark":0}' }], { abort: true })
  await kafka.produceTransaction(topic, records)
}

const ABORTED = 0.3

async function untilAllIsCommitted(world: ScenarioWorld): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  const ends = await world.kafka.ends(world.topic)
  for (;;) {
    const committed = await world.committed()
    if ([...ends].every(([partition, end]) => (committed.get(partition) ?? 0) >= Number(end))) return
    // the judge says what is missing
    if (performance.now() > deadline || [...world.sinks.values()].every((sink) => sink.code() !== undefined)) return
    await wait(100)
  }
}

async function untilAllHaveEnded(world: ScenarioWorld): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while ([...world.sinks.values()].some((sink) => sink.code() === undefined) && performance.now() < deadline) {
    await wait(100)
  }
}

const PATIENCE_MS = 60_000

/** Asks first what is committed and then what is stored: nothing may be missing of it. */
function sampleOften(world: ScenarioWorld, samples: Sample[]): { readonly stop: () => Promise<void> } {
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      await takeSample(world, samples).catch(() => {
        // the broker is away
      })
      await wait(SAMPLE_MS)
    }
  })()
  return {
    stop: () => {
      over.abort()
      return sampling
    }
  }
}

const SAMPLE_MS = 250

async function takeSample(world: ScenarioWorld, samples: Sample[]): Promise<void> {
  const committed = await world.committed()
  const fromMs = Date.now()
  const [documents, ends] = await Promise.all([
    storedDocuments(world.emulator, 'things'),
    world.kafka.ends(world.deadLetterTopic)
  ])
  const stored = new Map(documents.map(({ id, mark }) => [id, Number(mark)]))
  samples.push({
    committed,
    stored,
    letters: [...ends.values()].reduce((sum, end) => sum + Number(end), 0),
    fromMs,
    atMs: Date.now()
  })
}

async function collect(
  scenario: Scenario,
  world: ScenarioWorld,
  produced: readonly Produced[],
  samples: readonly Sample[]
): Promise<ScenarioResult> {
  const { kafka, topic, deadLetterTopic, emulator, sinks } = world
  const isGone = scenario.expect?.isTopicGone === true
  const notes = new Map<string, NotesOfSink>()
  for (const [name, sink] of sinks) notes.set(name, { ...(await sink.notes()), wasKilled: sink.wasKilled() })
  const names = new Map(
    [...notes].flatMap(([name, { identity }]) => (identity === undefined ? [] : [[identity, name]]))
  )
  return {
    produced: isGone ? withPlainOffsets(produced) : withOffsets(produced, await kafka.read(topic)),
    applied: toApplied(emulator.operations(), notes),
    stored: await storedDocuments(emulator, 'things'),
    letters: (await kafka.read(deadLetterTopic)).map(originOf),
    ends: isGone
      ? new Map()
      : new Map([...(await kafka.ends(topic))].map(([partition, end]) => [partition, Number(end)])),
    committed: await world.committed().catch(() => new Map()),
    commits: (await world.commits()).map(({ by, ...commit }) => ({
      ...commit,
      by: by === undefined ? undefined : names.get(by)
    })),
    samples,
    sinks: new Map(
      [...sinks].map(([name, sink]) => [
        name,
        {
          code: sink.code(),
          wasKilled: sink.wasKilled(),
          said: sink.said(),
          assignments: sink.assignments(),
          late: sink.late(),
          stop: notes.get(name)?.stop
        }
      ])
    ),
    struck: world.struck()
  }
}

/** Where each record stands. A producer that had no answer may have sent it twice: the first counts. */
function withOffsets(produced: readonly Produced[], records: readonly StoredRecord[]): ScenarioResult['produced'] {
  const offsets = new Map(
    records.toReversed().map(({ headers, offset }) => [Number(String(headers?.['mark'])), Number(offset)])
  )
  // records that compaction removed are missing
  return produced.flatMap((one) => (offsets.has(one.mark) ? [{ ...one, offset: offsets.get(one.mark)! }] : []))
}

function withPlainOffsets(produced: readonly Produced[]): ScenarioResult['produced'] {
  const next = new Map<number, number>()
  return produced.map((one) => {
    const offset = next.get(one.partition) ?? 0
    next.set(one.partition, offset + 1)
    return { ...one, offset }
  })
}

/** `partition/offset` of the record that was copied. */
function originOf({ headers = {} }: StoredRecord): string {
  return `${String(headers['__connect.errors.partition'])}/${String(headers['__connect.errors.offset'])}`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
