import type { Account, ContainerDefinition } from '@keystamp/cosmos'
import type { Committed, TopicPartition } from '../../consume/consumer-port.ts'
import type { Decoder } from '../../decode/decoder.ts'
import type { SinkRecord } from '../../record.ts'
import type { RejectSink } from '../../rejects/reject-sink.ts'
import type { Shaper } from '../../shape/shaper.ts'

/** A look into Kafka that disturbs nobody: the group of the sink is not joined. */
export interface KafkaProbe {
  /** The topics that would be read. Throws KAFKA_UNAVAILABLE or TOPIC_MISSING. */
  readonly topics: () => Promise<readonly TopicSize[]>
  /** What the group of the sink has stored. */
  readonly committed: (partitions: readonly TopicPartition[]) => Promise<readonly Committed[]>
  /** A record of each topic that has one: the next one that the group would read, or else the last one that it has read. */
  readonly samples: (topics: readonly string[]) => Promise<readonly ProbedRecord[]>
  readonly close: () => Promise<void>
}

export interface ProbedRecord {
  readonly record: SinkRecord
  /** The group has not read it yet. */
  readonly isNext: boolean
}

export interface TopicSize {
  readonly topic: string
  readonly partitions: number
}

/** The real parts of a sink, as far as they are looked at. */
export interface LiveParts {
  readonly kafka: KafkaProbe
  readonly openAccount: (container: string) => Promise<Pick<Account, 'definition' | 'offer' | 'close'>>
  /** Throws what stands in the way of asking the schema registry; undefined where none is used. */
  readonly checkRegistry: (() => Promise<void>) | undefined
  readonly rejects: RejectSink | undefined
  readonly createDecoder: () => Decoder
  readonly createShaper: (definition: ContainerDefinition) => Shaper
  /** Resolves after so long. */
  readonly sleep: (ms: number) => Promise<void>
}
