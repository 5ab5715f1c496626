import { KeystampError } from '@keystamp/core'
import {
  type Account,
  checkContainer as checkPlanFits,
  checkOrderable,
  type ContainerDefinition,
  type Offer
} from '@keystamp/cosmos'
import { decompressLz4 } from '../kafka/codecs/lz4.ts'
import { type Decompress, decompressSnappy, decompressZstd } from '../kafka/codecs/codec.ts'
import { type Committed, readMetadata } from '../kafka/consumer-port.ts'
import type { DeadLetterWriter } from '../dead-letter/dead-letter-writer.ts'
import type { Decoder } from '../decode/decoder.ts'
import type { RecordMapper } from '../map/record-mapper.ts'
import { storesDeletes, whyUnresolved } from '../config/tombstone-keys.ts'
import type { NewerBySettings, SinkSettings } from '../config/settings.ts'
import type { Finding } from './check-report.ts'
import type { MoveProbe } from './move-probe.ts'
import type { KafkaProbe, TopicSize } from './kafkajs-probe.ts'

/** Dependencies of a check: the real services of a sink, read only. */
export interface CheckDependencies {
  readonly kafka: KafkaProbe
  readonly openAccount: (
    container: string
  ) => Promise<Pick<Account, 'definition' | 'offer' | 'hasWriteRegions' | 'close'>>
  /** Throws the reason why the schema registry cannot be used; undefined if the sink uses no registry. */
  readonly checkRegistry: (() => Promise<void>) | undefined
  readonly rejects: DeadLetterWriter | undefined
  readonly createDecoder: () => Decoder
  readonly createRecordMapper: (definition: ContainerDefinition) => RecordMapper
  /** The container after a switch; undefined without `move`. */
  readonly move: MoveProbe | undefined
  /** Resolves after this time. */
  readonly sleep: (ms: number) => Promise<void>
}

/** A container that passed its check: it exists, and the key plan fits it. */
export interface CheckedContainer {
  readonly definition: ContainerDefinition
  readonly mapper: RecordMapper
  readonly sentence: string
  readonly warnings: readonly string[]
}

/** Checks a container. Throws the reason why the sink could not write into it. */
export async function checkContainer(
  name: string,
  settings: SinkSettings,
  parts: Pick<CheckDependencies, 'openAccount' | 'createRecordMapper'>
): Promise<CheckedContainer> {
  const account = await parts.openAccount(name)
  try {
    const definition = await account.definition()
    const mapper = parts.createRecordMapper(definition)
    if (mapper.plan !== undefined) checkPlanFits(definition, mapper.plan)
    checkTombstones(name, definition, settings)
    const { newerBy } = settings.write
    if (newerBy !== undefined) checkOrderable(definition, fieldOf(newerBy), await account.hasWriteRegions())
    const offer = await account.offer()
    const containerName = `${settings.cosmos.database}/${name}`
    return {
      definition,
      mapper,
      sentence: sentenceOf(containerName, definition, offer, mapper.fingerprint),
      warnings: warningsOf(containerName, offer, settings)
    }
  } finally {
    account.close()
  }
}

function fieldOf({ order }: NewerBySettings): string | undefined {
  return typeof order === 'object' && 'field' in order ? order.field : undefined
}

/**
 * Warns if a topic keeps records for longer than the markers of deleted documents exist: a replay would bring these
 * documents back.
 */
export function checkMarkers(settings: SinkSettings, topics: readonly TopicSize[]): readonly Finding[] {
  const { newerBy, strategy, rehome } = settings.write
  const { markerTtl = -1 } = newerBy ?? {}
  const leavesMarkers = strategy === 'delete' || rehome !== undefined || storesDeletes(settings)
  if (markerTtl === -1 || !leavesMarkers) return []
  const markerMs = markerTtl * 1000
  return topics
    .filter(({ retentionMs }) => retentionMs !== undefined && (retentionMs < 0 || retentionMs >= markerMs))
    .map(({ topic, retentionMs = -1 }) => {
      const kept = retentionMs < 0 ? 'without a time limit' : `for ${inDays(retentionMs)} d`
      const message = `The topic ${topic} keeps records ${kept}, but the marker of a deleted document expires after ${inDays(markerMs)} d (write.newerBy.markerTtl). A later replay would store such a document again.`
      return { of: 'topics', state: 'warning', message }
    })
}

function inDays(ms: number): string {
  return String(Math.round(ms / 864_000) / 100)
}

function checkTombstones(name: string, { partitionKey }: ContainerDefinition, { plan, id, write }: SinkSettings): void {
  if (write.tombstones !== 'delete') return
  const why = whyUnresolved({ plan, id, keyPaths: partitionKey.paths })
  if (why === undefined) return
  throw new KeystampError('CONFIG_INVALID', `write.tombstones cannot be "delete" for the container ${name}: ${why}.`)
}

function sentenceOf(
  containerName: string,
  { partitionKey, defaultTtl }: ContainerDefinition,
  offer: Offer,
  fingerprint: string
): string {
  const { paths, version } = partitionKey
  const expires =
    defaultTtl === undefined
      ? 'documents do not expire'
      : defaultTtl === -1
        ? 'documents with a `ttl` expire'
        : `documents without a \`ttl\` expire after ${defaultTtl} s`
  const provisioned =
    'unknown' in offer ? '' : `, with ${offer.ruPerSecond.toLocaleString('en-US')} RU/s of the ${offer.of}`
  return `The container ${containerName} is partitioned by ${paths.join(', ')} (hash version ${version}), ${expires}${provisioned}. Keys and ids are made by the plan ${fingerprint}.`
}

function warningsOf(containerName: string, offer: Offer, { cosmos }: SinkSettings): readonly string[] {
  if (!('unknown' in offer) || typeof cosmos.share === 'number') return []
  return [
    `The provisioned throughput of ${containerName} is not known: ${offer.unknown} Without a number under cosmos.share, only throttling limits the sink.`
  ]
}

/**
 * Decompresses a small sample with each codec that producers can choose, except gzip, which is part of Node. Throws if
 * a codec does not work on this machine.
 */
export async function checkCodecs(codecs: readonly KnownCodec[] = CODECS): Promise<string> {
  for (const { name, decompress, compressed } of codecs) {
    const text = await decompressSample(name, decompress, Buffer.from(compressed, 'hex'))
    if (text !== TEXT) throw new KeystampError('KAFKA_UNAVAILABLE', `This machine decompresses ${name} to wrong bytes.`)
  }
  return `This machine can decompress gzip, ${codecs.map(({ name }) => name).join(', ')}.`
}

interface KnownCodec {
  readonly name: string
  readonly decompress: Decompress
  /** `TEXT` as compressed by this codec, in hexadecimal. */
  readonly compressed: string
}

const TEXT = 'keystamp keystamp keystamp keystamp'

const CODECS: readonly KnownCodec[] = [
  { name: 'snappy', decompress: decompressSnappy, compressed: '23206b65797374616d7020660900' },
  {
    name: 'lz4',
    decompress: decompressLz4,
    compressed: '04224d184070df130000009f6b65797374616d7020090002507374616d7000000000'
  },
  { name: 'zstd', decompress: decompressZstd, compressed: '28b52ffd00687d0000486b65797374616d70200100b4cb11' }
]

async function decompressSample(name: string, decompress: Decompress, compressed: Buffer): Promise<string> {
  try {
    return (await decompress(compressed, TEXT.length)).toString()
  } catch (cause) {
    throw new KeystampError(
      'KAFKA_UNAVAILABLE',
      `This machine cannot decompress ${name}: ${(cause as Error).message}.`,
      { cause }
    )
  }
}

/** Finds out where the group would resume, and whether its offsets were committed under the same key plan. */
export async function checkGroup(
  { kafka, acceptPlanChange }: SinkSettings,
  topics: readonly TopicSize[],
  probe: KafkaProbe,
  mappersOf: (topic: string) => readonly RecordMapper[]
): Promise<readonly Finding[]> {
  const partitions = topics.flatMap(({ topic, partitions: count }) =>
    Array.from({ length: count }, (_, partition) => ({ topic, partition }))
  )
  try {
    const stored = (await probe.committed(partitions)).filter(({ position }) => position !== undefined)
    const findings: Finding[] = [
      { of: 'group', state: 'ok', message: positionsText(kafka, stored.length, partitions.length) }
    ]
    const others = stored.filter((committed) => isOfOtherPlan(committed, mappersOf(committed.topic)))
    if (others.length > 0) {
      const message = `The offsets of ${others.length} partitions were committed under another key plan: records before them have other keys or ids. List that plan under \`previous\`, take another group, or set acceptPlanChange: true.`
      findings.push({ of: 'group', state: acceptPlanChange ? 'warning' : 'failed', message })
    }
    return findings
  } catch (error) {
    return [{ of: 'group', state: 'failed', message: (error as Error).message }]
  }
}

function positionsText({ group, from }: SinkSettings['kafka'], stored: number, all: number): string {
  const begin = `at the ${from} record`
  if (stored === 0) return `The group ${group} has no stored offsets yet: reading begins ${begin}.`
  if (stored === all) return `The group ${group} resumes at its stored offsets in all ${all} partitions.`
  return `The group ${group} resumes at its stored offsets in ${stored} of ${all} partitions, and begins ${begin} in the others.`
}

/** With `move`, offsets may be of either container. */
function isOfOtherPlan({ metadata }: Committed, mappers: readonly RecordMapper[]): boolean {
  const before = readMetadata(metadata)
  // a partition that waits for a switch has no plan of its own
  const plan = before?.drained?.from ?? before?.plan
  if (plan === undefined || mappers.length === 0) return false
  return !mappers.some((mapper) => plan === mapper.fingerprint || mapper.previousFingerprints.includes(plan))
}
