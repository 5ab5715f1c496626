import type { KafkaSettings } from '../../src/config/settings.ts'

/** Settings of a consumer with short intervals and timeouts. */
export function kafkaSettings(
  brokers: string,
  group: string,
  topics: KafkaSettings['topics'],
  others: Partial<KafkaSettings> = {}
): KafkaSettings {
  return {
    brokers: brokers.split(','),
    clientId: 'keystamp-test',
    group,
    topics,
    from: 'earliest',
    until: undefined,
    lostOffsets: 'stop',
    tls: false,
    sasl: undefined,
    sessionTimeoutMs: 6000,
    heartbeatMs: 300,
    rebalanceTimeoutMs: 10_000,
    metadataMaxAgeMs: 1000,
    connectionTimeoutMs: 3000,
    requestTimeoutMs: 5000,
    maxWaitMs: 100,
    maxBytesPerPartition: 1_048_576,
    maxInflatedBatchBytes: 64 * 1_048_576,
    onOversizedBatch: 'stop',
    handoverMs: 0,
    ...others
  }
}
