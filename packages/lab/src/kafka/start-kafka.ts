import { type Broker, startBroker } from './broker.ts'
import { findJava } from './find-java.ts'
import { installKafka, whyNoMaven } from './install-kafka.ts'

/** A Kafka to test with: one broker that listens on the loopback only. */
export interface KafkaHandle {
  /** `host:port`, as clients want it. */
  readonly brokers: string
  readonly version: string
  /** The way in over TLS, where users were named. */
  readonly secure?: { readonly brokers: string; readonly ca: string } | undefined
  /** Ends what was started here and removes its data; leaves a Kafka that was already there alone. */
  readonly stop: () => Promise<void>
  /** Ends the broker as a crash would. Its data stays for `restart`. */
  readonly kill: () => Promise<void>
  /** Starts it again, on the same port and over the same data. */
  readonly restart: () => Promise<void>
}

/** Says why there is none. */
export interface KafkaMissing {
  readonly missing: string
}

/** What a Kafka may be told. */
export interface KafkaOptions {
  /** Lines of `server.properties` beside or instead of ours. */
  readonly properties?: Readonly<Record<string, string>>
  /** Opens a second way in, over TLS, for these users and their passwords. */
  readonly users?: Readonly<Record<string, string>>
  /** Hears what takes time: fetching the broker, once. */
  readonly say?: (line: string) => void
  readonly env?: NodeJS.ProcessEnv
}

/** The Kafka of KEYSTAMP_KAFKA, or a broker of our own where Java and Maven are; or the reason that there is neither. */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaHandle | KafkaMissing> {
  const { env = process.env } = options
  const { KEYSTAMP_KAFKA: brokers, KEYSTAMP_REQUIRE_KAFKA: required } = env
  if (brokers !== undefined) return foreignKafka(brokers)
  const started = await startOwn(options, env)
  if ('missing' in started && required === '1') throw new Error(`Kafka is required here. ${started.missing}`)
  return started
}

/** Says in one sentence why no Kafka can be had here; undefined where it can. Fetches nothing. */
export async function whyNoKafka(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (env['KEYSTAMP_KAFKA'] !== undefined) return undefined
  const java = await findJava()
  return 'missing' in java ? java.missing : whyNoMaven(env)
}

async function startOwn(
  { properties = {}, users, say = ignore }: KafkaOptions,
  env: NodeJS.ProcessEnv
): Promise<KafkaHandle | KafkaMissing> {
  const java = await findJava()
  if ('missing' in java) return java
  const installed = await installKafka(java, env, say)
  if ('missing' in installed) return installed
  return toHandle(await startBroker({ installed, properties, users }), installed.version)
}

function toHandle(broker: Broker, version: string): KafkaHandle {
  const { address, secure, stop, kill, restart } = broker
  return { brokers: address, version, secure: secure && { brokers: secure.address, ca: secure.ca }, stop, kill, restart }
}

function foreignKafka(brokers: string): KafkaHandle {
  const refuse = async (): Promise<void> => {
    throw new Error(`The Kafka at ${brokers} was not started here: it is neither killed nor restarted.`)
  }
  return { brokers, version: 'as given by KEYSTAMP_KAFKA', stop: async () => {}, kill: refuse, restart: refuse }
}

function ignore(): void {}
