import { createRecordMapper, type RecordMapper } from '../../src/map/record-mapper.ts'
import { assembleSink, type Sink } from '../../src/sink.ts'
import type { SinkSettings } from '../../src/config/settings.ts'
import type { Target } from '../../src/write/target.ts'
import { mapperOptions } from '../map/sample.ts'
import { createSlowDecoder, SIMULATED_SETTINGS } from './run-simulation.ts'
import { SimulatedAccount } from './simulated-account.ts'
import { type Member, SimulatedGroup } from './simulated-group.ts'
import { SimulatedProcesses } from './simulated-processes.ts'
import { VirtualClock } from './virtual-clock.ts'

/** Result of one schedule. */
export interface RehomingVerdict {
  /** Entities that had no document at some moment. */
  readonly gone: readonly string[]
  /** Records that were committed while an older document was stored under their old key. */
  readonly early: readonly string[]
  /** Differences between the stored documents and the last records. */
  readonly wrong: readonly string[]
  readonly failures: readonly string[]
  readonly isFinished: boolean
}

/** A version of an entity, as the value of a record. */
interface Version {
  readonly id: string
  readonly device: string
  readonly mark: number
  readonly before: { readonly id: string; readonly device: string } | null
}

/**
 * Members of a group write entities that often change their key, and join, leave, crash and get other partitions
 * meanwhile. Their writers are real. Then the simulation waits until all records are committed.
 */
export async function runRehomingSinks(random: () => number): Promise<RehomingVerdict> {
  const clock = new VirtualClock()
  const partitions = 1 + Math.floor(random() * 3)
  const group = new SimulatedGroup(clock, random, partitions, 0)
  const account = new SimulatedAccount(clock, random, random() * 0.4)
  const processes = new SimulatedProcesses({ clock, random, group, createSink })
  const entities = 1 + Math.floor(random() * 6)
  const last = new Map<string, Version>()
  const seen = new Set<string>()
  const gone: string[] = []
  const early: string[] = []
  const failures: string[] = []
  let mark = 0
  account.onChange = () => {
    const stored = new Set([...account.items.values()].map(({ item }) => item.id))
    for (const id of seen) if (!stored.has(id)) gone.push(id)
    for (const id of stored) seen.add(id)
  }
  group.onCommit = ({ partition, position }) => {
    for (const { offset, value } of group.logs[partition])
      if (offset < position) expectNoTwin(JSON.parse(Buffer.from(value!).toString()) as Version)
  }

  for (let step = 0; step < 40; step++) {
    for (let count = Math.floor(random() * 8); count > 0; count--) produce()
    if (random() < 0.15 || processes.areAllDead) processes.begin()
    if (random() < 0.08) processes.stopOne()
    if (random() < 0.1) processes.killOne()
    if (random() < 0.08) group.rebalance()
    await clock.runUntil(clock.now() + random() * 80)
  }
  account.faultShare = 0
  const isFinished = await finish()
  return { gone, early, wrong: wrong(), failures, isFinished }

  function produce(): void {
    const entity = Math.floor(random() * entities)
    const id = `e${entity}`
    const former = last.get(id)
    const version: Version = {
      id,
      device: `d${Math.floor(random() * 3)}`,
      mark: mark++,
      before: former === undefined ? null : { id, device: former.device }
    }
    last.set(id, version)
    group.append(entity % partitions, id, JSON.stringify(version))
  }

  function createSink(member: Member, isAlive: () => boolean): Sink {
    return assembleSink(SIMULATED_SETTINGS as unknown as SinkSettings, {
      clock,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (_facts, sentence) => isAlive() && failures.push(sentence)
      },
      createConsumer: () => member,
      createDecoder: () => createSlowDecoder(clock, random),
      createDeadLetterWriter: () => undefined,
      createTolerance: () => undefined,
      openTarget: (_container, maySend) => openTarget(account, isAlive, maySend)
    })
  }

  function expectNoTwin({ id, device, mark: own, before }: Version): void {
    if (before === null || before.device === device) return
    const twin = account.items.get(`["${before.device}"]${id}`)?.item
    if (twin !== undefined && Number(twin['mark']) < own) early.push(`${id}: ${String(twin['mark'])} before ${own}`)
  }

  async function finish(): Promise<boolean> {
    for (let round = 0; round < 300; round++) {
      if (group.logs.every((log, partition) => log.length === 0 || committedOf(partition) > log.at(-1)!.offset))
        return true
      if (processes.areAllDead) processes.begin()
      await clock.runUntil(clock.now() + 100)
    }
    return false
  }

  function committedOf(partition: number): number {
    return group.committed.get(`${group.topic}/${partition}`)?.position ?? 0
  }

  function wrong(): readonly string[] {
    const expected = [...last.values()].map(({ id, device, mark: own }) => `["${device}"]${id} ${own}`)
    const stored = [...account.items].map(([name, { item }]) => `${name} ${String(item['mark'])}`)
    return [
      ...expected.filter((name) => !stored.includes(name)).map((name) => `missing ${name}`),
      ...stored.filter((name) => !expected.includes(name)).map((name) => `left ${name}`)
    ]
  }
}

async function openTarget(account: SimulatedAccount, isAlive: () => boolean, maySend: () => boolean): Promise<Target> {
  const mapper: RecordMapper = createRecordMapper(
    mapperOptions({
      plan: { into: '/pk', from: [{ field: '/device' }] },
      write: { rehome: { before: { field: '/before' } }, drop: ['before'] }
    })
  )
  const writer = await account.openWriter(isAlive, maySend)
  return {
    container: 'things',
    fingerprint: mapper.fingerprint,
    previousFingerprints: [],
    warnings: [],
    map: mapper.map,
    submit: (operation, fence, settle) => writer.submit(operation, (answer) => isAlive() && settle(answer), fence),
    submitAtomic: () => undefined,
    usePart: () => undefined,
    waits: [],
    stats: () => ({}) as never,
    close: writer.close
  }
}
