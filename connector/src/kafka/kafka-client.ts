import { type ISocketFactory, Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { inspect } from 'node:util'
import type { KafkaSettings, SaslSettings, TlsSettings } from '../config/settings.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { patchKafkajs } from './kafkajs-patches/patch-kafkajs.ts'

/** Settings of a connection to Kafka. */
type ConnectionSettings = Pick<
  KafkaSettings,
  'brokers' | 'clientId' | 'connectionTimeoutMs' | 'requestTimeoutMs' | 'sasl' | 'tls' | 'maxInflatedBatchBytes'
>

/** Dependencies of a client, in addition to its settings. */
interface KafkaClientOptions {
  readonly clock: Clock
  readonly log: Log
  /** Gets a token for `oauthbearer`. Called again before the token expires. */
  readonly getToken?: ((scope: string) => Promise<string>) | undefined
  /**
   * Called with each log entry of kafkajs, before it is logged. An error that it throws reaches the code of kafkajs
   * that logged the entry.
   */
  readonly onEntry?: (entry: LogEntry) => void
  /** Default: kafkajs opens its connections itself. */
  readonly connections?: Connections
}

/** Creates the client that creates consumers and producers. Opens no connection. */
export function createKafkajsClient(settings: ConnectionSettings, options: KafkaClientOptions): Kafka {
  patchKafkajs(settings.maxInflatedBatchBytes)
  const { brokers, clientId, connectionTimeoutMs, requestTimeoutMs, sasl, tls } = settings
  const config: KafkaConfig = {
    brokers: [...brokers],
    clientId,
    connectionTimeout: connectionTimeoutMs,
    authenticationTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: CONNECT_RETRY,
    ssl: typeof tls === 'boolean' ? tls : toTlsOptions(tls),
    logLevel: logLevel.INFO,
    logCreator: () => clientLog(options),
    ...(options.connections === undefined ? {} : { socketFactory: options.connections.open })
  }
  return new Kafka(sasl === undefined ? config : { ...config, sasl: toSaslOptions(sasl, options) })
}

// explicit, since kafkajs has other defaults if NODE_ENV is "test"
const CONNECT_RETRY = { retries: 5, initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1000 }

/** kafkajs reads the options for each connection, so the next connection uses a rotated key. */
function toTlsOptions({ ca, cert, key, passphrase, rejectUnauthorized }: TlsSettings): ConnectionOptions {
  return {
    rejectUnauthorized,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    get key() {
      return key?.reveal()
    },
    get passphrase() {
      return passphrase?.reveal()
    }
  }
}

/** kafkajs reads the options for each connection, so the next connection uses a rotated password. */
function toSaslOptions(sasl: SaslSettings, { getToken }: KafkaClientOptions): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') {
    const { mechanism, username, password } = sasl
    return {
      mechanism,
      username,
      get password() {
        return password.reveal()
      }
    }
  }
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => {
      if (getToken === undefined) throw new Error('`getToken` is missing, which gets a token for `oauthbearer`.')
      return { value: await getToken(sasl.scope) }
    }
  }
}

/** Error that kafkajs logs repeatedly for a topic that does not exist any more. */
export const TOPIC_GONE = 'This server does not host this topic-partition'

/**
 * Logs errors of kafkajs as warnings, since kafkajs retries most of them successfully; logs warnings as information,
 * and drops all other entries. Each sentence is logged at most every 30 s, without stack trace and payload.
 */
export function clientLog({ clock, log, onEntry }: KafkaClientOptions): (entry: LogEntry) => void {
  let saidAt = saidBy.get(log)
  if (saidAt === undefined) saidBy.set(log, (saidAt = new Map()))
  return (entry) => {
    onEntry?.(entry)
    const { level, namespace } = entry
    const { broker, groupId, topic, partition } = entry.log
    const message = textOf(entry.log.message)
    const error = entry.log['error'] === undefined ? undefined : textOf(entry.log['error'])
    if (level > logLevel.WARN || isRoutine(message, error)) return
    const sentence = `${message} ${error}`
    if (clock.now() - (saidAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    if (saidAt.size > MAX_SENTENCES) saidAt.clear()
    saidAt.set(sentence, clock.now())
    const facts = { kafkajs: namespace, error, broker, groupId, topic, partition }
    const say = level === logLevel.ERROR ? log.warn : log.info
    say(facts, `Kafka client: ${message}`)
  }
}

/**
 * When each sentence was logged the last time. All clients with the same log share the times, since several clients are
 * created while a broker is down.
 */
const saidBy: WeakMap<Log, Map<string, number>> = new WeakMap()

/** Text of a log value: kafkajs declares messages as strings, and also logs errors as messages. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Error ? value.message : inspect(value, { depth: 0 })
}

/** Whether the entry is about normal operation: a start, a rebalance, leaving the group. The sink logs those itself. */
function isRoutine(message: string, error: string | undefined): boolean {
  if (ROUTINE_MESSAGES.has(message) || message.includes(CLOSED) || error === REBALANCE || error === OUT_OF_RANGE)
    return true
  return error === UNKNOWN_MEMBER && message.startsWith('Response LeaveGroup')
}

const ROUTINE_MESSAGES: ReadonlySet<string> = new Set([
  // the sink, not kafkajs, retries dead-letter records until they are stored
  'Limiting retries for the idempotent producer may invalidate EoS guarantees',
  // this process has ended the connection
  'Connection error: write after end'
])
const REBALANCE = 'The group is rebalancing, so a rejoin is needed'
/** Not logged here: the consumer logs where reading continues. */
const OUT_OF_RANGE = 'The requested offset is not within the range of offsets maintained by the server'
/** In answer to LeaveGroup: the member has left already. */
const UNKNOWN_MEMBER = 'The coordinator is not aware of this member'

const QUIET_MS = 30_000
const MAX_SENTENCES = 100

/**
 * Connections of one client. A call that uses a client after its disconnect, such as a retry, makes kafkajs connect
 * again. kafkajs does not close this new connection, which would keep the process alive.
 */
export interface Connections {
  readonly open: ISocketFactory
  /** Closes the connections that kafkajs has left open, and refuses new ones. */
  readonly close: () => void
}

export function createConnections(): Connections {
  const sockets = new Set<Socket>()
  let isClosed = false

  const open: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isClosed) throw new Error(CLOSED)
    const socket = connect({ host, port, ssl, onConnect })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  function close(): void {
    isClosed = true
    // connections that kafkajs has ended close as soon as the broker has answered
    for (const socket of sockets) if (!socket.writableEnded) socket.destroy(new Error(CLOSED))
  }

  return { open, close }
}

/** Error message of connections that this process has closed. */
const CLOSED = 'This client was closed.'

const KEEP_ALIVE_MS = 60_000

function connect({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket {
  // kafkajs declares `ssl` as always present, but passes false or null without encryption
  const options: typeof ssl | false | null = ssl
  if (!options) return connectPlain({ host, port }, onConnect)
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...options }, onConnect)
}
