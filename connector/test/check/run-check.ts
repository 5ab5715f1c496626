import { toPosition } from '@keystamp/core'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { CheckDependencies } from '../../src/check/check-parts.ts'
import type { SinkReport } from '../../src/check/check-report.ts'
import { checkSink } from '../../src/check/check-sink.ts'
import type { KafkaProbe } from '../../src/check/kafkajs-probe.ts'
import { createDecoder } from '../../src/decode/decoder.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { sinkOf } from '../config/read-text.ts'

export const DEFINITION: ContainerDefinition = {
  rid: 'r',
  partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
  defaultTtl: undefined,
  uniqueKeys: []
}
export const PLAN = 'plan: { into: /pk, from: [{ field: /vin }] }\n'
export const RECORD: SinkRecord = {
  topic: 'drives',
  partition: 1,
  offset: toPosition(7),
  timestamp: '1533818096000',
  key: null,
  value: Buffer.from('{"id":"a","vin":"1FTFW1ET5DFC10312"}'),
  headers: {}
}

export interface World {
  readonly config?: string
  readonly definition?: ContainerDefinition
  readonly probe?: Partial<KafkaProbe>
  readonly parts?: Partial<CheckDependencies>
  readonly showValues?: boolean
}

/** Runs a check in which all services are healthy, except for the overrides. */
export async function runCheck({
  config = PLAN,
  definition = DEFINITION,
  probe,
  parts,
  showValues = false
}: World = {}): Promise<SinkReport> {
  const settings = await sinkOf(config)
  const kafka: KafkaProbe = {
    topics: async () => [{ topic: 'drives', partitions: 2 }],
    committed: async (partitions) =>
      partitions.map((partition) => ({ ...partition, position: undefined, metadata: '' })),
    samples: async () => [{ record: RECORD, isNext: true }],
    close: async () => {},
    ...probe
  }
  const all: CheckDependencies = {
    kafka,
    openAccount: async () => ({
      definition: async () => definition,
      offer: async () => ({ ruPerSecond: 4000, of: 'container' }),
      hasWriteRegions: async () => false,
      close: () => {}
    }),
    checkRegistry: undefined,
    move: undefined,
    rejects: undefined,
    createDecoder: () => createDecoder(settings),
    createRecordMapper: (container) => createRecordMapper({ settings, container }),
    sleep: () => new Promise(() => {}),
    ...parts
  }
  return await checkSink(settings, all, { showValues })
}
