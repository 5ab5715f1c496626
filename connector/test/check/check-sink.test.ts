import { type ErrorCode, KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import type { CheckDependencies } from '../../src/check/check-parts.ts'
import type { KafkaProbe } from '../../src/check/kafkajs-probe.ts'
import type { SinkReport } from '../../src/check/check-report.ts'
import { writeMetadata } from '../../src/kafka/consumer-port.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { sinkOf } from '../config/read-text.ts'
import { DEFINITION, PLAN, runCheck, type World } from './run-check.ts'

function failures({ findings }: SinkReport): readonly string[] {
  return findings.filter(({ state }) => state === 'failed').map(({ of, message }) => `${of}: ${message}`)
}

describe('a check of the real services', () => {
  test('reports the topics, the container and the outcome that a record would have', async () => {
    const report = await runCheck()
    const { fingerprint } = createRecordMapper({ settings: await sinkOf(PLAN), container: DEFINITION })

    expect(report.findings).toEqual([
      {
        of: 'topics',
        state: 'ok',
        message: 'Kafka answers at localhost:9092, and has the topics drives (2 partitions).'
      },
      { of: 'codecs', state: 'ok', message: 'This machine can decompress gzip, snappy, lz4, zstd.' },
      {
        of: 'container',
        state: 'ok',
        message: `The container fleet/drives is partitioned by /pk (hash version 2), documents do not expire, with 4,000 RU/s of the container. Keys and ids are made by the plan ${fingerprint}.`
      },
      {
        of: 'group',
        state: 'ok',
        message: 'The group keystamp-drives has no stored offsets yet: reading begins at the earliest record.'
      }
    ])
    expect(report.samples).toEqual([
      {
        topic: 'drives',
        partition: 1,
        offset: '7',
        isNext: true,
        becomes: { kind: 'stored', container: 'drives', operation: 'upsert', key: ['1FTFW1ET5DFC10312'], id: 'a' }
      }
    ])
  })

  test('checks Cosmos DB even if Kafka is unavailable', async () => {
    const report = await runCheck({ probe: { topics: throwing('KAFKA_UNAVAILABLE', 'Kafka failed to answer.') } })

    expect(failures(report)).toEqual(['topics: Kafka failed to answer.'])
    expect(report.findings.map(({ of }) => of)).toEqual(['topics', 'codecs', 'container'])
  })

  test.each<readonly [string, World, string]>([
    [
      'another key',
      { definition: { ...DEFINITION, partitionKey: { ...DEFINITION.partitionKey, paths: ['/other'] } } },
      'container: The plan writes its key into /pk, but the partition key of the container is /other.'
    ],
    [
      'another hash version',
      { definition: { ...DEFINITION, partitionKey: { ...DEFINITION.partitionKey, version: 1 } } },
      'container: The plan is made for hash version 2, but the container has hash version 1.'
    ],
    [
      'no expiry',
      { config: `${PLAN}write: { ttl: 1d }\n` },
      'container: `write.ttl` has no effect: no document of the container expires.'
    ],
    [
      'no default TTL, which the markers of `write.newerBy` need',
      { config: `${PLAN}write: { newerBy: { order: offset } }\n` },
      'container: The container has no default TTL, so the markers of deleted documents would never expire. Set the default TTL of the container to -1'
    ],
    [
      'a key that tombstones do not have',
      { config: 'id: { strategy: fullKey }\nwrite: { tombstones: delete }\n' },
      'container: write.tombstones cannot be "delete" for the container drives: without a plan the partition key (/pk) is read from the value.'
    ]
  ])('reports a failure for a container with %s', async (_what, world, sentence) => {
    expect(failures(await runCheck(world))[0]).toContain(sentence)
  })

  test.each([
    'write: { operation: { field: /op, values: { D: delete } }, newerBy: { order: timestamp } }',
    'write: { newerBy: { order: timestamp }, rehome: { before: /before } }',
    'value: debezium\nwrite: { newerBy: { order: timestamp } }'
  ])('warns of short markers, whatever deletes documents: %s', async (write) => {
    const config = `plan: { into: /pk, from: [{ field: /area }] }\n${write}\n`
    const probe = { topics: async () => [{ topic: 'drives', partitions: 2, retentionMs: -1 }] }
    const { findings } = await runCheck({ config, probe, definition: { ...DEFINITION, defaultTtl: -1 } })

    expect(findings.filter(({ state }) => state === 'warning').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('but the marker of a deleted document expires')
    )
  })

  test.each([
    [7 * 86_400_000, []],
    [undefined, []],
    [30 * 86_400_000, ['keeps records for 30 d, but the marker of a deleted document expires after 30 d']],
    [-1, ['keeps records without a time limit, but the marker']]
  ])(
    'warns if a topic with the retention of %s ms can bring deleted documents back',
    async (retentionMs, sentences) => {
      const config = `id: { strategy: fullKey }\nplan: { into: /pk, from: [{ kafka: key }] }\nwrite: { tombstones: delete, newerBy: { order: timestamp } }\n`
      const probe = { topics: async () => [{ topic: 'drives', partitions: 2, retentionMs }] }
      const { findings } = await runCheck({ config, probe, definition: { ...DEFINITION, defaultTtl: -1 } })

      const warnings = findings.filter(({ of, state }) => of === 'topics' && state === 'warning')
      expect(warnings.map(({ message }) => message)).toEqual(
        sentences.map((sentence) => expect.stringContaining(sentence) as unknown)
      )
    }
  )

  test('reports a failure if offsets were committed under another plan, unless `acceptPlanChange` is set', async () => {
    expect(failures(await runCheck({ probe: { committed: underOtherPlan } }))[0]).toContain(
      'group: The offsets of 2 partitions were committed under another key plan'
    )
    expect(
      failures(await runCheck({ probe: { committed: underOtherPlan }, config: `${PLAN}acceptPlanChange: true\n` }))
    ).toEqual([])
  })

  test('accepts offsets that other tools committed, and offsets that were committed under the configured plan', async () => {
    const { fingerprint } = createRecordMapper({ settings: await sinkOf(PLAN), container: DEFINITION })
    const committed: KafkaProbe['committed'] = async ([first, second]) => [
      { ...first, position: toPosition(5), metadata: '' },
      {
        ...second,
        position: toPosition(5),
        metadata: writeMetadata({ plan: fingerprint, by: 'somebody', hasLeft: false })
      }
    ]
    const report = await runCheck({ probe: { committed } })

    expect(failures(report)).toEqual([])
    expect(report.findings.at(-1)?.message).toBe(
      'The group keystamp-drives resumes at its stored offsets in all 2 partitions.'
    )
  })

  test('reports failures of the schema registry and of the dead-letter topic, and closes the dead-letter writer', async () => {
    let isClosed = false
    const rejects = {
      send: async () => {},
      check: async () => {
        throw new KeystampError('REJECTS_FAILED', 'There is no topic dead.')
      },
      waitingFor: undefined,
      close: async () => {
        isClosed = true
      }
    }
    const config = `${PLAN}value: registry\nregistry: { url: "http://localhost:8081" }\nrejects: { topic: dead }\n`

    expect(
      failures(
        await runCheck({
          config,
          parts: { rejects, checkRegistry: throwing('CONFIG_INVALID', 'No schema can be fetched.') },
          probe: { samples: async () => [] }
        })
      )
    ).toEqual(['registry: No schema can be fetched.', 'rejects: There is no topic dead.'])
    expect(isClosed).toBe(true)
  })

  test('warns if the provisioned throughput is not known and `cosmos.share` is not a number', async () => {
    const { findings } = await runCheck({ parts: { openAccount: openServerless } })

    expect(findings.filter(({ state }) => state === 'warning').map(({ message }) => message)).toEqual([
      'The provisioned throughput of fleet/drives is not known: The account is serverless. Without a number under cosmos.share, only throttling limits the sink.'
    ])
  })
})

function throwing(code: ErrorCode, message: string): () => Promise<never> {
  return () => Promise.reject(new KeystampError(code, message))
}

const underOtherPlan: KafkaProbe['committed'] = async (partitions) => {
  const metadata = writeMetadata({ plan: 'other', by: 'somebody', hasLeft: true })
  return partitions.map((partition) => ({ ...partition, position: toPosition(5), metadata }))
}

const openServerless: CheckDependencies['openAccount'] = async () => ({
  definition: async () => DEFINITION,
  offer: async () => ({ unknown: 'The account is serverless.' }),
  hasWriteRegions: async () => false,
  close: () => {}
})
