import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from '@keystamp/cosmos'
import { needsRegistry } from '../config/schema/format-schema.ts'
import type { ServiceSettings, SinkSettings } from '../config/settings.ts'
import { createShapedDecoder } from '../shape/shaped-decoder.ts'
import { checkRegistry } from '../decode/registry-client.ts'
import { defaultDependencies } from '../dependencies.ts'
import { createKafkajsClient } from '../kafka/kafka-client.ts'
import { MACHINE_CLOCK } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { createRecordMapper, type RecordMapper } from '../map/record-mapper.ts'
import { findEntraCredential, getEntraToken } from '../write/entra.ts'
import { containerOf } from '../write/targets.ts'
import { checkMove } from './check-move.ts'
import {
  checkCodecs,
  checkContainer,
  type CheckDependencies,
  type CheckedContainer,
  checkGroup,
  checkMarkers
} from './check-parts.ts'
import { type CheckReport, describeSample, type Finding, type Sample, type SinkReport } from './check-report.ts'
import { openMoveProbe } from './move-probe.ts'
import { createKafkajsProbe, type TopicSize } from './kafkajs-probe.ts'

/** Checks the real services of every sink: Kafka, the registry, Cosmos DB, and the destination of rejected records. */
export async function checkService({ sinks }: ServiceSettings, options: CheckOptions): Promise<CheckReport> {
  const reports = await Promise.all(sinks.map((settings) => checkSink(settings, machineParts(settings), options)))
  return { ok: reports.every(({ findings }) => findings.every(({ state }) => state !== 'failed')), sinks: reports }
}

function machineParts(settings: SinkSettings): CheckDependencies {
  const { kafka, cosmos, registry, key, value } = settings
  const usesRegistry = needsRegistry(key) || needsRegistry(value)
  const client = createKafkajsClient(kafka, { clock: MACHINE_CLOCK, log: SILENT, getToken: getEntraToken })
  return {
    kafka: createKafkajsProbe({
      kafka: client,
      settings: kafka,
      name: `keystamp-check-${randomUUID()}`,
      sleep: pause,
      readsTopicIds: settings.write.newerBy !== undefined
    }),
    openAccount: async (container) => {
      const { endpoint, database, preferredRegions } = cosmos
      const who = cosmos.key === undefined ? { credential: await findEntraCredential() } : { key: cosmos.key.reveal() }
      return openAccount({ endpoint, database, container, preferredRegions, ...who })
    },
    checkRegistry: registry === undefined || !usesRegistry ? undefined : () => checkRegistry(registry),
    rejects: defaultDependencies(settings, SILENT).createDeadLetterWriter(),
    createDecoder: () => createShapedDecoder(settings),
    createRecordMapper: (definition) => createRecordMapper({ settings, container: definition, random: Math.random }),
    move: settings.move && openMoveProbe(settings, settings.move),
    sleep: pause
  }
}

// a check logs nothing: its report holds the findings
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

// the timer must not keep the process alive
async function pause(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false })
}

interface CheckOptions {
  /** Show the values of the sample records, which are payloads. */
  readonly showValues: boolean
}

/** Checks everything that a sink needs, without joining its group or writing anything. Each problem is a finding. */
export async function checkSink(
  settings: SinkSettings,
  parts: CheckDependencies,
  { showValues }: CheckOptions
): Promise<SinkReport> {
  const findings: Finding[] = []
  const samples: Sample[] = []
  try {
    const topics = await checkTopics()
    await attempt('codecs', () => checkCodecs())
    await attempt('registry', async () => {
      await parts.checkRegistry?.()
      return parts.checkRegistry === undefined ? undefined : `The schema registry at ${settings.registry!.url} answers.`
    })
    const containers = await checkContainers(topics)
    // a sink with `move` writes to one container
    const move = parts.move && (await checkMove(parts.move, containers.values().next().value))
    findings.push(...(move?.findings ?? []))
    const mappersOf = (topic: string): readonly RecordMapper[] => {
      const mapper = mapperOf(containers, topic)
      if (mapper === undefined) return []
      return move?.container === undefined ? [mapper] : [mapper, move.container.mapper]
    }
    if (topics !== undefined) findings.push(...(await checkGroup(settings, topics, parts.kafka, mappersOf)))
    await checkRejects()
    if (topics !== undefined) await takeSamples(topics, containers)
    findings.push(...samples.flatMap((sample) => judgeSample(sample, settings)))
  } finally {
    await parts.rejects?.close()
    await parts.kafka.close()
  }
  return { name: settings.name, findings, samples }

  async function checkTopics(): Promise<readonly TopicSize[] | undefined> {
    let topics: readonly TopicSize[] | undefined
    await attempt('topics', async () => {
      topics = await parts.kafka.topics()
      findings.push(...checkMarkers(settings, topics))
      const sizes = topics.map(
        ({ topic, partitions }) => `${topic} (${partitions} ${partitions === 1 ? 'partition' : 'partitions'})`
      )
      return `Kafka answers at ${settings.kafka.brokers.join(', ')}, and has the topics ${sizes.join(', ')}.`
    })
    return topics
  }

  async function checkContainers(
    topics: readonly TopicSize[] | undefined
  ): Promise<ReadonlyMap<string, CheckedContainer>> {
    const checked = new Map<string, CheckedContainer>()
    for (const name of containerNames(settings, topics)) {
      await attempt('container', async () => {
        const container = await checkContainer(name, settings, parts)
        checked.set(name, container)
        findings.push(...container.warnings.map((message): Finding => ({ of: 'container', state: 'warning', message })))
        return container.sentence
      })
    }
    return checked
  }

  async function checkRejects(): Promise<void> {
    const { rejects } = parts
    if (rejects === undefined) return
    await attempt('rejects', async () => {
      await rejects.check()
      const { topic, file } = settings.rejects
      return `Rejected records can be copied to ${topic === undefined ? `the file ${file}` : `the topic ${topic}`}.`
    })
  }

  async function takeSamples(
    topics: readonly TopicSize[],
    containers: ReadonlyMap<string, CheckedContainer>
  ): Promise<void> {
    await attempt('sample', async () => {
      const names = topics.map(({ topic }) => topic)
      const records = await parts.kafka.samples(names)
      const decoder = parts.createDecoder()
      try {
        for (const { record, isNext } of records) {
          const container = containerOf(settings, record.topic)
          const mapper = containers.get(container)?.mapper
          if (mapper !== undefined)
            samples.push(
              await describeSample({ record, isNext, container, mapper, decoder, sleep: parts.sleep, showValues })
            )
        }
      } finally {
        decoder.close()
      }
      const empty = names.filter((name) => !records.some(({ record }) => record.topic === name))
      return empty.length === 0 ? undefined : `No record to show in ${empty.join(', ')}.`
    })
  }

  function mapperOf(containers: ReadonlyMap<string, CheckedContainer>, topic: string): RecordMapper | undefined {
    return containers.get(containerOf(settings, topic))?.mapper
  }

  async function attempt(of: Finding['of'], check: () => Promise<string | undefined>): Promise<void> {
    try {
      const message = await check()
      if (message !== undefined) findings.push({ of, state: 'ok', message })
    } catch (error) {
      // a sample that cannot be read does not keep the sink from starting
      findings.push({ of, state: of === 'sample' ? 'warning' : 'failed', message: (error as Error).message })
    }
  }
}

/** A rejected record is a finding: under the policy `stop` the sink would stop at it. */
function judgeSample(
  { topic, partition, offset, isNext, becomes }: Sample,
  { rejects }: SinkSettings
): readonly Finding[] {
  if (becomes.kind !== 'rejected') return []
  const where = `The ${isNext ? 'next' : 'last'} record of ${topic} (partition ${partition}, offset ${offset})`
  const isStop = isNext && rejects.policy === 'stop'
  const message = `${where} ${isNext ? 'will be' : 'would be'} rejected with ${becomes.code}${isStop ? ', and `rejects.policy: stop` stops the sink there' : ''}.`
  return [{ of: 'sample', state: isStop ? 'failed' : 'warning', message }]
}

function containerNames(settings: SinkSettings, topics: readonly TopicSize[] | undefined): readonly string[] {
  const { container } = settings.cosmos
  if (topics !== undefined) return [...new Set(topics.map(({ topic }) => containerOf(settings, topic)))]
  if (typeof container !== 'string') return [...new Set(container.values())]
  return container.includes('${') ? [] : [container]
}
