import { ConfigError, readConfig, sampleTopic, type SinkSettings } from '@keystamp/connector'
import { formatCount, parseDuration } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { readSettings } from '../sink/read-settings.ts'
import { inBatches, type OpenSample, type SampleProgress } from './open-sample.ts'
import type { PlanCommandOptions } from './plan-options.ts'

/** Number of records that are read without `--sample` and without `--since`. */
const DEFAULT_RECORDS = 100_000
const MAX_RECORDS_SINCE = 1_000_000
const TIMEOUT_MS = 120_000

/** Reads the last records of the topic of `--from-topic`, decoded as `keystamp sink` decodes them. */
export async function openTopic(
  { fromTopic = '', since, registry, quiet }: PlanCommandOptions,
  count: number | undefined,
  dependencies: Dependencies,
  onProgress: SampleProgress
): Promise<OpenSample> {
  const { stderr, signal } = dependencies
  const age = since === undefined ? undefined : ageOf(since)
  const settings = await settingsOf(fromTopic, registry, dependencies)
  const found = await sampleTopic({
    settings,
    count: count ?? (since === undefined ? DEFAULT_RECORDS : MAX_RECORDS_SINCE),
    sinceMs: age === undefined ? undefined : Date.now() - age * 1000,
    timeoutMs: TIMEOUT_MS,
    signal,
    onProgress
  })
  const { tombstones, isComplete } = found
  // a sink finds mistakes in JSON when it stamps the record
  const documents = found.documents.filter(isJson)
  const rejected = found.rejected + found.documents.length - documents.length
  const reason = found.reason ?? 'It is not JSON.'
  if (documents.length === 0 && rejected > 0)
    throw new UsageError(
      `No record of ${fromTopic} can be decoded: ${reason} Name the registry with --registry, or the configuration of a sink that reads the topic.`
    )
  if (quiet !== true) {
    const without = tombstones === 0 ? '' : `, and ${counted(tombstones, 'tombstone')}`
    stderr.write(`keystamp: read ${counted(documents.length, 'record')} of ${fromTopic}${without}.\n`)
    if (rejected > 0)
      stderr.write(
        `keystamp: warning: ${counted(rejected, 'record')} cannot be decoded. The reason for the first one: ${reason}\n`
      )
    if (!isComplete)
      stderr.write(
        `keystamp: warning: after ${TIMEOUT_MS / 1000} s, not all records had been read. Read fewer with --sample.\n`
      )
  }
  return { batches: inBatches(documents), method: 'whole' }
}

const decoder = new TextDecoder()

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoder.decode(bytes))
    return true
  } catch {
    return false
  }
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

function ageOf(text: string): number {
  const age = parseDuration(text)
  if (!age.ok) throw new UsageError(`--since ${age.reason}.`)
  return age.value
}

/** The settings of a sink: from its configuration, or for `<brokers>/<topic>` with defaults. */
async function settingsOf(
  text: string,
  registry: string | undefined,
  dependencies: Dependencies
): Promise<SinkSettings> {
  const [, brokers, topic] = /^([^/\s]+:\d+)\/([\w.-]+)$/.exec(text) ?? []
  if (topic === undefined && !/\.(?:ya?ml|json)$/i.test(text))
    throw new UsageError(
      `--from-topic must be brokers and a topic, such as localhost:9092/drives, or the configuration of a sink, such as sink.yaml, not "${text}".`
    )
  if (topic === undefined && registry !== undefined)
    throw new UsageError(
      '--registry is only for --from-topic brokers/topic: the configuration of a sink contains its registry.'
    )
  const { sinks } =
    topic === undefined
      ? await readSettings(text, dependencies)
      : await readShort(brokers.split(','), topic, registry, dependencies)
  if (sinks.length > 1)
    throw new UsageError(`${text} has ${sinks.length} sinks: give a configuration with one sink, or brokers/topic.`)
  return sinks[0]
}

async function readShort(
  brokers: readonly string[],
  topic: string,
  registry: string | undefined,
  { env }: Dependencies
): ReturnType<typeof readSettings> {
  const config = {
    name: 'plan',
    kafka: { brokers, topics: [topic] },
    // reading a sample writes nothing, but the configuration of a sink must have a container
    cosmos: { endpoint: 'https://localhost:8081', database: 'none', container: 'none' },
    plan: { into: '/pk', from: [{ field: '/id' }] },
    ...(registry === undefined ? {} : { value: 'registry', registry: { url: registry } })
  }
  try {
    return await readConfig(
      { text: JSON.stringify(config), name: '--from-topic' },
      { env, readFile: () => Promise.reject(new Error('no file is needed')) }
    )
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`--from-topic or --registry: ${error.message}`)
    throw error
  }
}
