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
  /** Number of copies of rejected records. */
  readonly deadLetters: number
  /**
   * When reading the store began, after the committed offsets were read, in milliseconds since 1970; `atMs`: when it
   * ended.
   */
  readonly fromMs: number
  readonly atMs: number
}

export interface SinkResult {
  readonly code: number | null | undefined
  /** Whether the scenario killed the sink. */
  readonly wasKilled: boolean
  readonly output: string
  readonly assignments: number
  readonly late: LateReport
  /** First stop at an armed point. */
  readonly stop: SinkStop | undefined
}

export interface ScenarioResult {
  readonly produced: readonly (Produced & { readonly offset: number })[]
  readonly applied: readonly Applied[]
  readonly stored: readonly StoredDocument[]
  readonly deadLetters: readonly string[]
  readonly ends: ReadonlyMap<number, number>
  readonly committed: ReadonlyMap<number, number>
  /** Every commit of the group, in the order of the broker. */
  readonly commits: readonly SinkCommit[]
  readonly samples: readonly Sample[]
  readonly sinks: ReadonlyMap<string, SinkResult>
  /** Number of requests that a fault hit. */
  readonly struck: number
}

/** Runs a scenario. The same seed gives the same records; the timing depends on the machine. */
export async function runScenario(scenario: Scenario, seed: number, brokers: string): Promise<ScenarioResult> {
  const { next: random } = createRandom(seed)
  const world = await openWorld(scenario, brokers, random)
  try {
    return await play(scenario, world, random)
  } catch (error) {
    throw new BrokenRun(error, await evidenceOf(world))
  } finally {
    await world.close()
  }
}

/** A run that could not be completed. */
export class BrokenRun extends Error {
  /** Log entries of its sinks, and the commits of their group. */
  readonly evidence: Evidence

  constructor(error: unknown, evidence: Evidence) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    this.evidence = evidence
  }
}

interface Evidence {
  readonly sinks: ReadonlyMap<string, Pick<SinkResult, 'output'>>
  readonly commits: readonly unknown[]
}

async function evidenceOf({ sinks, commits }: ScenarioWorld): Promise<Evidence> {
  return {
    sinks: new Map([...sinks].map(([name, sink]) => [name, { output: sink.output() }])),
    commits: await commits().catch(() => [])
  }
}

async function play(scenario: Scenario, world: ScenarioWorld, random: () => number): Promise<ScenarioResult> {
  const workload = createWorkload({ random, poison: scenario.poison ?? 0.01, encode: encoderFor(world) })
  for (const fault of scenario.faults ?? []) world.emulator.faults.inject(fault)
  const running: Promise<void>[] = []
  const samples: Sample[] = []
  const sampling = sampleOften(world, samples)
  try {
    await startEventsAt(0)
    for (let count = 0; count < (scenario.records ?? RECORDS); count += CHUNK) {
      await produce(world, workload.next(CHUNK, world.partitions()), scenario, random)
      await startEventsAt(count + CHUNK)
      await wait(PACE_MS)
    }
    await Promise.all(running)
    if (scenario.expect?.isTopicGone !== true) await untilAllIsCommitted(world)
    else await untilAllHaveEnded(world)
  } finally {
    await sampling.stop()
  }
  await Promise.all([...world.sinks.values()].map((sink) => sink.stop()))
  return collect(scenario, world, workload.produced, samples)

  async function startEventsAt(count: number): Promise<void> {
    for (const { after, hold, do: actions } of scenario.events ?? START) {
      if (after <= count && after > count - CHUNK) {
        const done = doAll(actions, world)
        // failures are reported at the end
        done.catch(() => {})
        running.push(done)
        if (hold === true || after === 0) await done
      }
    }
  }
}

const START: NonNullable<Scenario['events']> = [{ after: 0, do: [{ start: 'first' }] }]
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
  const deadline = performance.now() + TIMEOUT_MS
  const ends = await world.kafka.ends(world.topic)
  for (;;) {
    const committed = await world.committed()
    if ([...ends].every(([partition, end]) => (committed.get(partition) ?? 0) >= Number(end))) return
    // the judge reports what is missing
    if (performance.now() > deadline || [...world.sinks.values()].every((sink) => sink.code() !== undefined)) return
    await wait(100)
  }
}

async function untilAllHaveEnded(world: ScenarioWorld): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while ([...world.sinks.values()].some((sink) => sink.code() === undefined) && performance.now() < deadline) {
    await wait(100)
  }
}

const TIMEOUT_MS = 60_000

/** Reads first the committed offsets and then the stored documents: all records before the offsets must be stored. */
function sampleOften(world: ScenarioWorld, samples: Sample[]): { readonly stop: () => Promise<void> } {
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      await takeSample(world, samples).catch(() => {
        // the broker is down
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
  const [documents, ends] = await Promise.all([livingDocuments(world), world.kafka.ends(world.deadLetterTopic)])
  const stored = new Map(documents.map(({ id, mark }) => [id, Number(mark)]))
  samples.push({
    committed,
    stored,
    deadLetters: [...ends.values()].reduce((sum, end) => sum + Number(end), 0),
    fromMs,
    atMs: Date.now()
  })
}

/** The documents of the container without the markers of deleted ones. */
async function livingDocuments({ emulator }: ScenarioWorld): Promise<readonly StoredDocument[]> {
  const documents = await storedDocuments(emulator, 'things')
  return documents.filter((document) => document['_keystampDeleted'] !== true)
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
    stored: await livingDocuments(world),
    deadLetters: (await kafka.read(deadLetterTopic)).map(originOf),
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
          output: sink.output(),
          assignments: sink.assignments(),
          late: sink.late(),
          stop: notes.get(name)?.stop
        }
      ])
    ),
    struck: world.struck()
  }
}

/** Adds the offset of each record. A producer without an answer may have sent a record twice: the first one counts. */
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

/** `partition/offset` of the copied record. */
function originOf({ headers = {} }: StoredRecord): string {
  return `${String(headers['__connect.errors.partition'])}/${String(headers['__connect.errors.offset'])}`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
