// API report of @keystamp/lab, made by npm run docs. A change here is a change of the public API.

import type { CompressionTypes } from 'kafkajs'

/** How a group stands in one partition; `offset` is undefined where nothing was committed. */
export interface GroupOffset {
  readonly topic: string
  readonly partition: number
  readonly offset: string | undefined
  readonly metadata: string
}

/** What a test, a bench or the demo does to a Kafka from outside. */
export interface KafkaClient {
  readonly createTopic: (
    topic: string,
    options?: {
      readonly partitions?: number
      readonly config?: Readonly<Record<string, string>>
    }
  ) => Promise<void>
  /** `count` partitions in all from now on. */
  readonly addPartitions: (topic: string, count: number) => Promise<void>
  readonly deleteTopic: (topic: string) => Promise<void>
  /** Removes what stands before this offset, as retention does. */
  readonly deleteRecordsBefore: (topic: string, partition: number, offset: string) => Promise<void>
  readonly produce: (
    topic: string,
    records: readonly TopicRecord[],
    options?: {
      readonly compression?: CompressionTypes
    }
  ) => Promise<void>
  /** Produces in one transaction, and commits it unless told to abort. */
  readonly produceTransaction: (
    topic: string,
    records: readonly TopicRecord[],
    options?: {
      readonly abort?: boolean
    }
  ) => Promise<void>
  /** The offset behind the last record of each partition, control records included. */
  readonly ends: (topic: string) => Promise<ReadonlyMap<number, string>>
  readonly committed: (group: string, topics: readonly string[]) => Promise<readonly GroupOffset[]>
  /** What a topic holds, by partition and offset; what was aborted is left out. */
  readonly read: (topic: string) => Promise<readonly StoredRecord[]>
  readonly close: () => Promise<void>
}

/** A Kafka to test with: brokers that listen on the loopback only. */
export interface KafkaHandle {
  /** `host:port`, as clients want it; of several brokers with commas between. */
  readonly brokers: string
  readonly version: string
  /** The way in over TLS, where users were named. */
  readonly secure?:
    | {
        readonly brokers: string
        readonly ca: string
      }
    | undefined
  /** Ends what was started here and removes its data; leaves a Kafka that was already there alone. */
  readonly stop: () => Promise<void>
  /** Ends a broker, by default the first, as a crash would. Its data stays for `restart`. */
  readonly kill: (node?: number) => Promise<void>
  /** Starts it again, on the same port and over the same data. */
  readonly restart: (node?: number) => Promise<void>
  /** Changes the password of a user of the secure listener, for SCRAM-SHA-512; connections that are open stay. */
  readonly setPassword: (user: string, password: string) => Promise<void>
}

/** Says why there is none. */
export interface KafkaMissing {
  readonly missing: string
}

/** What a Kafka may be told. */
export interface KafkaOptions {
  /** How many brokers; each has a copy of everything. Default: 1. */
  readonly size?: number
  /** Lines of `server.properties` beside or instead of ours. */
  readonly properties?: Readonly<Record<string, string>>
  /** Opens a second way in, over TLS, for these users and their passwords. */
  readonly users?: Readonly<Record<string, string>>
  /** Hears what takes time: fetching the broker, once. */
  readonly say?: (line: string) => void
  readonly env?: NodeJS.ProcessEnv
}

/** A document: the mark of the body that is stored, and the sum of the marks that were patched in since. */
export interface MarkedDocument {
  readonly mark: number
  readonly sum: number
}

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number
  /** A whole number, at least 0, below `count`. */
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(choices: readonly T[]) => T
  readonly text: (length: number, alphabet: string) => string
}

/** A Redis to test with. */
export interface RedisHandle {
  readonly url: string
  /** Ends what was started here; leaves a Redis that was already there alone. */
  readonly stop: () => Promise<void>
}

/** Says why there is none. */
export interface RedisMissing {
  readonly missing: string
}

/** A stand-in for a schema registry, for tests and the demo: what a decoder and a producer ask of one, and no more. */
export interface RegistryHandle {
  readonly url: string
  /** Answers 503 to everything, until told otherwise. */
  readonly down: (isDown: boolean) => void
  /** How many requests came, those refused included. */
  readonly requests: () => number
  /** Registers without a request, and answers with the id. */
  readonly register: (subject: string, schema: string, schemaType?: SchemaType) => number
  readonly stop: () => Promise<void>
}

/** What a schema is written in. */
export type SchemaType = 'AVRO' | 'JSON' | 'PROTOBUF'

/** A record of about 156 bytes. */
export interface SensorRecord {
  readonly [name: string]: unknown
  readonly deviceId: string
  readonly date: number
  readonly day: string
  readonly VIN: string
  /** Milliseconds since 1970. */
  readonly t: number
}

/** Something that was spent, and when. */
export interface Spent {
  readonly atMs: number
  readonly ru: number
}

/** A record as it stands in a topic. */
export interface StoredRecord extends TopicRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
}

/** An endless supply of telemetry: the same records for the same seed. */
export interface Telemetry {
  /** About 1 KB: nested objects that hold the same names, escapes, 32 % with characters beyond ASCII, 1 % with a partitionKey already. */
  readonly big: () => VehicleRecord
  /** The same without characters beyond ASCII. */
  readonly bigAscii: () => VehicleRecord
  /** The same with the members that make a key at the end. */
  readonly bigLate: () => VehicleRecord
  readonly small: () => SensorRecord
}

/** One write of a document, and what its caller was told of it. */
export interface ToldWrite {
  /** Its place in the order of all writes; the body of what it stores carries it. */
  readonly mark: number
  readonly kind: 'upsert' | 'create' | 'replace' | 'delete' | 'patch'
  /** `gone`: a delete that found nothing, and counts as done. */
  readonly told: 'applied' | 'superseded' | 'gone' | 'refused' | 'unknown'
  /** It may be refused whatever is stored: for its body, a precondition, a fault. */
  readonly isRefusable?: boolean
}

/** A record for a topic, or one that was read there. */
export interface TopicRecord {
  readonly partition?: number
  readonly key?: Buffer | string | null
  /** Null for a tombstone. */
  readonly value: Buffer | string | null
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>
  /** Milliseconds since 1970. */
  readonly timestamp?: string
}

/** A record of about 1 KB, as a vehicle would send it. */
export interface VehicleRecord {
  readonly [name: string]: unknown
  readonly id: string
  readonly deviceId: string
  /** The year. */
  readonly date: number
  /** The day, as 2018-08-09. */
  readonly day: string
  readonly VIN: string
  /** ISO text. */
  readonly ts: string
}

/** Connects to a Kafka, to do there what tests, benches and the demo need. */
export declare function connectKafka(brokers: string): Promise<KafkaClient>

/** Makes the generator mulberry32: small, fast, and good enough for test data. */
export declare function createRandom(seed: number): Random

/** Makes telemetry for benches, tests and the demo. */
export declare function createTelemetry(seed: number): Telemetry

/** A port of the loopback that nobody listens on right now. */
export declare function freePort(): Promise<number>

/** No document goes back: the marks of what was applied to it never fall. */
export declare function judgeApplied(document: string, marks: readonly number[]): readonly string[]

/** The last write wins: the writes of one document, replayed as they came, have to lead to what is stored. A sentence for each mistake. */
export declare function judgeStored(document: string, writes: readonly ToldWrite[], stored: MarkedDocument | undefined): readonly string[]

/** The most that was spent within any sliding second. */
export declare function mostInASecond(spent: readonly Spent[]): number

/** The Kafka of KEYSTAMP_KAFKA, or a broker of our own where Java and Maven are; or the reason that there is neither. */
export declare function startKafka(options?: KafkaOptions): Promise<KafkaHandle | KafkaMissing>

/** The Redis of REDIS_URL, or a `redis-server` on a free port of the loopback that keeps nothing; or the reason that there is neither. */
export declare function startRedis(env?: NodeJS.ProcessEnv): Promise<RedisHandle | RedisMissing>

/** Starts a registry that keeps its schemas in memory. */
export declare function startRegistry(): Promise<RegistryHandle>

/** Says in one sentence why no Kafka can be had here; undefined where it can. Fetches nothing. */
export declare function whyNoKafka(env?: NodeJS.ProcessEnv): Promise<string | undefined>

export {}
