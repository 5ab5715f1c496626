import { type Emulator, startEmulator } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, type KafkaHandle, type RegistryHandle, startRegistry } from '@keystamp/testkit'
import kafkajs from 'kafkajs'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { createContainer, createDatabase } from '../../e2e/sink/documents.ts'
import { openCommitLog, type StoredCommit } from './commit-log.ts'
import { findCoordinator, moveCoordinators, startOwnBrokers, untilInSync } from './own-brokers.ts'
import { type Gate, openGate } from './gate.ts'
import type { Scenario } from './scenario.ts'
import { type SinkProcess, startSinkProcess } from './sink-process.ts'

/** State of the sinks' group, as the coordinator reports it. */
export type GroupState = kafkajs.ConsumerGroupState

/** Topics, containers and processes of one scenario. Their names are not used by another one. */
export interface ScenarioWorld {
  readonly emulator: Emulator
  readonly kafka: KafkaClient
  readonly topic: string
  readonly deadLetterTopic: string
  /** Brokers of this scenario; undefined if it uses the shared broker. */
  readonly own: KafkaHandle | undefined
  readonly registry: RegistryHandle | undefined
  readonly sinks: ReadonlyMap<string, SinkProcess>
  /** Proxy between each sink and the emulator, if the scenario has `gates`. */
  readonly gates: ReadonlyMap<string, Gate>
  readonly partitions: () => number
  readonly start: (name: string) => Promise<void>
  readonly committed: () => Promise<ReadonlyMap<number, number>>
  readonly committedCount: () => Promise<number>
  /** Every commit of the group since the start, in the order of the broker. */
  readonly commits: () => Promise<readonly StoredCommit[]>
  readonly groupState: () => Promise<GroupState>
  /** Number of the broker that coordinates the group now. */
  readonly coordinator: () => Promise<number>
  readonly untilInSync: () => Promise<void>
  readonly addPartitions: (count: number) => Promise<void>
  readonly createDeadLetterTopic: () => Promise<void>
  readonly setDeadLetterTopic: (config: Readonly<Record<string, string>>) => Promise<void>
  /** Ends all faults. */
  readonly calm: () => void
  /** Number of requests that a fault hit. */
  readonly struck: () => number
  readonly close: () => Promise<void>
}

/** Opens a world without sinks. */
export async function openWorld(
  scenario: Scenario,
  sharedBrokers: string,
  random: () => number
): Promise<ScenarioWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-sinks-'))
  const own = scenario.ownBrokers === undefined ? undefined : await startOwnBrokers(scenario.ownBrokers)
  const brokers = own?.brokers ?? sharedBrokers
  const emulator = await startEmulator({ auth: 'off', ranges: 2, latencyMs: 1, ...scenario.emulator, random })
  const registry = scenario.registry === true ? await startRegistry() : undefined
  const kafka = await connectKafka(brokers)
  const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING }).admin()
  const topic = `fault-${randomUUID()}`
  const deadLetterTopic = `${topic}-dead-letters`
  const group = `group-${topic}`
  const sinks = new Map<string, SinkProcess>()
  const gates = new Map<string, Gate>()
  let partitions = scenario.topic?.partitions ?? 4
  let struckBefore = 0
  await createDatabase(emulator)
  await createContainer(emulator, 'things', {
    keyPaths: ['/pk'],
    ruPerSecond: scenario.emulator?.ruPerSecond,
    defaultTtl: scenario.isNewest === true ? -1 : undefined
  })
  await kafka.createTopic(topic, {
    partitions,
    ...(scenario.topic?.config === undefined ? {} : { config: scenario.topic.config })
  })
  await createDeadLetterTopic()
  if (scenario.ownBrokers !== undefined && scenario.ownBrokers > 1) {
    await moveCoordinators(brokers, group)
    await untilInSync(brokers)
  }
  await admin.connect()
  const { commits, close: closeCommitLog } = await openCommitLog(brokers, { group, topic })
  return {
    emulator,
    kafka,
    topic,
    deadLetterTopic,
    own,
    registry,
    sinks,
    gates,
    partitions: () => partitions,
    start,
    committed,
    committedCount,
    commits,
    groupState,
    coordinator: () => findCoordinator(brokers, group),
    untilInSync: () => untilInSync(brokers),
    addPartitions,
    createDeadLetterTopic,
    setDeadLetterTopic,
    calm,
    struck: () => struckBefore + struckNow(),
    close
  }

  async function start(name: string): Promise<void> {
    const config = stringify(configOf(await endpointFor(name)))
    const sink = await startSinkProcess({ name, config, folder, env: await trust() })
    sinks.set(name, sink)
    await sink.ready
  }

  async function endpointFor(name: string): Promise<string> {
    if (scenario.gates !== true) return emulator.endpoint
    const url = new URL(emulator.endpoint)
    const gate = await openGate(Number(url.port))
    gates.set(name, gate)
    url.port = String(gate.port)
    return url.href
  }

  /** Sinks have no option for certificates of Cosmos DB: Node trusts the file in this variable. */
  async function trust(): Promise<Readonly<Record<string, string>>> {
    if (emulator.certificate === undefined) return {}
    const file = join(folder, 'ca.pem')
    await writeFile(file, emulator.certificate)
    return { NODE_EXTRA_CA_CERTS: file }
  }

  function configOf(endpoint: string): object {
    const { kafka: kafkaConfig, cosmos, ...rest } = (scenario.sink ?? {}) as Record<string, object>
    return {
      name: 'things',
      kafka: { brokers: brokers.split(','), topics: [topic], group, ...QUICK_KAFKA, ...kafkaConfig },
      cosmos: { endpoint, key: emulator.key, database: 'db', container: 'things', requestTimeout: '2s', ...cosmos },
      ...(registry === undefined ? {} : { value: 'registry', registry: { url: registry.url, timeout: '1s' } }),
      plan: { into: '/pk', from: [{ kafka: 'key' }] },
      id: { strategy: 'fullKey' },
      write: { tombstones: 'delete', ...(scenario.isNewest === true ? { newerBy: { order: 'offset' } } : {}) },
      rejects: { topic: deadLetterTopic, tolerance: { percent: 100 } },
      commit: { every: '200ms' },
      shutdownTimeout: '20s',
      http: { port: 0 },
      ...rest
    }
  }

  async function committed(): Promise<ReadonlyMap<number, number>> {
    // without topics: naming a deleted topic would make kafkajs ask for its partitions for a minute
    const offsets = (await kafka.committed(group)).filter((stored) => stored.topic === topic)
    return new Map(offsets.map(({ partition, offset = '0' }) => [partition, Number(offset)]))
  }

  async function committedCount(): Promise<number> {
    return [...(await committed()).values()].reduce((sum, offset) => sum + offset, 0)
  }

  async function groupState(): Promise<GroupState> {
    const { groups } = await admin.describeGroups([group])
    return groups[0].state
  }

  async function addPartitions(count: number): Promise<void> {
    await kafka.addPartitions(topic, count)
    partitions = count
    // a producer that read the metadata before does not know the new partitions
    await kafka.close()
  }

  async function createDeadLetterTopic(): Promise<void> {
    await kafka.createTopic(deadLetterTopic, { config: KEEPING })
  }

  async function setDeadLetterTopic(config: Readonly<Record<string, string>>): Promise<void> {
    const configEntries = Object.entries({ ...KEEPING, ...config }).map(([name, value]) => ({ name, value }))
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: deadLetterTopic, configEntries }]
    })
  }

  function calm(): void {
    struckBefore += struckNow()
    emulator.faults.clear()
  }

  function struckNow(): number {
    return emulator.faults.list().reduce((sum, { applied }) => sum + applied, 0)
  }

  async function close(): Promise<void> {
    for (const sink of sinks.values()) sink.signal('SIGKILL')
    await Promise.allSettled([admin.disconnect(), closeCommitLog(), kafka.close(), emulator.stop(), registry?.stop()])
    await Promise.all([...gates.values()].map((gate) => gate.close()))
    await own?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const KEEPING = { 'retention.ms': '-1' }
const QUICK_KAFKA = {
  sessionTimeout: '6s',
  heartbeatInterval: '500ms',
  fetchMaxWait: '100ms',
  metadataMaxAge: '2s',
  requestTimeout: '5s'
}
