import { freePort } from '../free-port.ts'
import { type Broker, startBroker } from './broker.ts'
import { uuid } from './format-data.ts'
import { findJava, installKafka, whyNoMaven } from './install-kafka.ts'

/** Kafka cluster for tests: brokers that listen on the loopback only. */
export interface KafkaHandle {
  /** `host:port` for clients; several brokers are separated by commas. */
  readonly brokers: string
  readonly version: string
  /** TLS listener, if users were given. */
  readonly secure?: { readonly brokers: string; readonly ca: string } | undefined
  /**
   * Ends the brokers that were started here and removes their data; does not touch a Kafka that was already running.
   */
  readonly stop: () => Promise<void>
  /** Kills a broker, by default the first, as in a crash. Its data is kept for `restart`. */
  readonly kill: (node?: number) => Promise<void>
  /** Starts the broker again, on the same port and with the same data. */
  readonly restart: (node?: number) => Promise<void>
  /** Suspends a broker: it answers nothing, and its connections stay open, as if its machine had disappeared. */
  readonly freeze: (node?: number) => Promise<void>
  /** Lets all suspended brokers continue. */
  readonly thaw: () => Promise<void>
  /** Changes the password of a user of the secure listener, for SCRAM-SHA-512; open connections stay. */
  readonly setPassword: (user: string, password: string) => Promise<void>
}

/** Why there is no Kafka. */
export interface KafkaMissing {
  readonly missing: string
}

/** Options of a Kafka cluster for tests. */
export interface KafkaOptions {
  /** Number of brokers; each has a replica of every partition. Default: 1. */
  readonly size?: number
  /** Lines of `server.properties`, which add to the default ones or replace them. */
  readonly properties?: Readonly<Record<string, string>>
  /** Adds a TLS listener for these users and their passwords. */
  readonly users?: Readonly<Record<string, string>>
  /** Called with a message before a slow step, which is the download of the broker. */
  readonly say?: (line: string) => void
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Uses the Kafka of KEYSTAMP_KAFKA, or starts a broker if Java and Maven exist; otherwise returns the reason why there
 * is none.
 */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaHandle | KafkaMissing> {
  const { env = process.env } = options
  const { KEYSTAMP_KAFKA: brokers, KEYSTAMP_REQUIRE_KAFKA: required } = env
  if (brokers !== undefined) return foreignKafka(brokers)
  const started = await startOwn(options, env)
  if ('missing' in started && required === '1') throw new Error(`Kafka is required here. ${started.missing}`)
  return started
}

/** Reason in one sentence why Kafka cannot be started here; undefined if it can. Downloads nothing. */
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

/** Ends the brokers that could be started. */
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
    freeze: async (node = 1) => brokers[node - 1].freeze(),
    thaw: async () => brokers.forEach(({ thaw }) => thaw()),
    setPassword: (user, password) => brokers[0].setPassword(user, password)
  }
}

function foreignKafka(brokers: string): KafkaHandle {
  const refuse = async (): Promise<void> => {
    throw new Error(
      `The Kafka at ${brokers} was not started by this test kit, so it cannot be killed, restarted, suspended or changed.`
    )
  }
  return {
    brokers,
    version: 'as given by KEYSTAMP_KAFKA',
    stop: async () => {},
    kill: refuse,
    restart: refuse,
    freeze: refuse,
    thaw: refuse,
    setPassword: refuse
  }
}

function ignore(): void {}
