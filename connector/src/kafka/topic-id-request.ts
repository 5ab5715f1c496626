import type { Broker, Cluster } from 'kafkajs'
import Decoder from 'kafkajs/src/protocol/decoder.js'
import Encoder from 'kafkajs/src/protocol/encoder.js'

/** Answer of a broker about one topic. */
export interface DescribedTopic {
  readonly topic: string
  /** 0 if the broker knows the topic. */
  readonly errorCode: number
  /** 32 hexadecimal digits; undefined if the topic was created before Kafka had topic ids. */
  readonly id: string | undefined
}

/** Parts of a cluster and a broker of kafkajs that it does not declare. */
interface ClusterInternals {
  readonly brokerPool: { readonly findConnectedBroker: () => Promise<Broker> }
}

interface BrokerInternals {
  readonly versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>> | null
  readonly connectionPool: { readonly send: (request: object) => Promise<readonly DescribedTopic[]> }
}

/**
 * Asks a broker for the ids of topics, with version 10 of the Metadata request: kafkajs knows only version 6, which has
 * no ids. Undefined if the broker is older than Kafka 2.8.
 */
export async function askTopicIds(
  cluster: Cluster,
  topics: readonly string[]
): Promise<readonly DescribedTopic[] | undefined> {
  const broker = await (cluster as unknown as ClusterInternals).brokerPool.findConnectedBroker()
  const { versions, connectionPool } = broker as unknown as BrokerInternals
  const maxVersion = versions?.[METADATA]?.maxVersion ?? 0
  return maxVersion < VERSION ? undefined : connectionPool.send(topicIdRequest(topics))
}

const METADATA = 3
const VERSION = 10

/** The request in the form that kafkajs sends. Exported for tests. */
export function topicIdRequest(topics: readonly string[]): {
  readonly request: Readonly<Record<string, unknown>> & { readonly encode: () => Promise<Encoder> }
  readonly response: {
    readonly decode: (payload: Buffer) => Promise<readonly DescribedTopic[]>
    readonly parse: (decoded: readonly DescribedTopic[]) => Promise<readonly DescribedTopic[]>
  }
} {
  return {
    request: {
      apiKey: METADATA,
      apiVersion: VERSION,
      apiName: 'Metadata',
      encode: async () => encodeRequest(topics)
    },
    response: { decode: async (payload) => decodeResponse(payload), parse: async (decoded) => decoded }
  }
}

// https://kafka.apache.org/protocol#The_Messages_Metadata
function encodeRequest(topics: readonly string[]): Encoder {
  const encoder = new Encoder()
  // the tagged fields of the request header, which kafkajs does not write
  encoder.writeUVarInt(0)
  encoder.writeUVarInt(topics.length + 1)
  for (const topic of topics) {
    encoder.writeBufferInternal(NO_ID)
    encoder.writeUVarIntString(topic)
    encoder.writeUVarInt(0)
  }
  // no topic is created, and no permissions are listed
  return encoder.writeBoolean(false).writeBoolean(false).writeBoolean(false).writeUVarInt(0)
}

const NO_ID = Buffer.alloc(16)

function decodeResponse(payload: Buffer): readonly DescribedTopic[] {
  const decoder = new Decoder(payload)
  decoder.readTaggedFields()
  decoder.readInt32()
  decoder.readUVarIntArray(() => {
    decoder.readInt32()
    decoder.readUVarIntString()
    decoder.readInt32()
    decoder.readUVarIntString()
    decoder.readTaggedFields()
  })
  decoder.readUVarIntString()
  decoder.readInt32()
  const described = decoder.readUVarIntArray(() => {
    const errorCode = decoder.readInt16()
    const topic = decoder.readUVarIntString() ?? ''
    const id = decoder.readBytes(NO_ID.length)!
    decoder.readBoolean()
    decoder.readUVarIntArray(() => skipPartition(decoder))
    decoder.readInt32()
    decoder.readTaggedFields()
    return { topic, errorCode, id: id.equals(NO_ID) ? undefined : id.toString('hex') }
  })
  return described ?? []
}

function skipPartition(decoder: Decoder): void {
  decoder.readInt16()
  for (let field = 0; field < INTEGERS_OF_A_PARTITION; field++) decoder.readInt32()
  for (let list = 0; list < LISTS_OF_A_PARTITION; list++) decoder.readUVarIntArray(() => decoder.readInt32())
  decoder.readTaggedFields()
}

// index, leader, epoch of the leader
const INTEGERS_OF_A_PARTITION = 3
// replicas, replicas in sync, replicas that are offline
const LISTS_OF_A_PARTITION = 3
