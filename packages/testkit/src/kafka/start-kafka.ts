import { freePort } from '../free-port.ts'
import { type Broker, startBroker } from './broker.ts'
import { findJava } from './find-java.ts'
import { uuid } from './format-data.ts'
import { installKafka, whyNoMaven } from './install-kafka.ts'

/** A Kafka to test with: brokers that listen on the loopback only. */
export interface KafkaHandle {
  /** `host:port`, as clients want it; of several brokers with commas between. */
  readonly brokers: string
  readonly version: string
  /** The way in over TLS, where users were named. */
  readonly secure?: { readonly brokers: string; readonly ca: string } | undefined
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
  { size = 1, properties = {}, users, say = ignore }: KafkaOptions,
  env: NodeJS.ProcessEnv
): Promise<KafkaHandle | KafkaMissing> {
  const java = await findJava()
  if ('missing' in java) return java
  const installed = await installKafka(java, env, say)
  if ('missing' in installed) return installed
  const cluster = { id: uuid(), size, controllerPort: await freePort() }
  const nodes = Array.from({ length: size }, (_, index) => index + 1)
  const starting = nodes.map((node) => startBroker({ installed, cluster, node, properties, users }))
  try {
    return toHandle(await Promise.all(starting), installed.version)
  } catch (error) {
    await stopAll(starting)
    throw error
  }
}

/** Ends those that could be started. */
async function stopAll(starting: readonly Promise<Broker>[]): Promise<void> {
  for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop()
}

function toHandle(brokers: readonly Broker[], version: string): KafkaHandle {
  const [{ secure }] = brokers
  return {
    brokers: brokers.map(({ address }) => address).join(','),
    version,
    secure: secure && { brokers: secure.address, ca: secure.ca },
    stop: async () => void (await Promise.all(brokers.map(({ stop }) => stop()))),
    kill: (node = 1) => brokers[node - 1].kill(),
    restart: (node = 1) => brokers[node - 1].restart(),
    setPassword: (user, password) => brokers[0].setPassword(user, password)
  }
}

function foreignKafka(brokers: string): KafkaHandle {
  const refuse = async (): Promise<void> => {
    throw new Error(`The Kafka at ${brokers} was not started here: it is neither killed, restarted nor changed.`)
  }
  return { brokers, version: 'as given by KEYSTAMP_KAFKA', stop: async () => {}, kill: refuse, restart: refuse, setPassword: refuse }
}

function ignore(): void {}
