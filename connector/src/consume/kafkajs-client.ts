import { Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { ConnectionOptions } from 'node:tls'
import type { KafkaSettings, SaslSettings, TlsSettings } from '../config/settings.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { calmRequestQueue } from './calm-request-queue.ts'
import { registerCodecs } from './codecs/register-codecs.ts'
import { clientLog } from './client-log.ts'
import type { Connections } from './connections.ts'
import { stopFetching } from './stop-fetching.ts'

/** What connects to Kafka. */
export type ConnectionSettings = Pick<
  KafkaSettings,
  'brokers' | 'clientId' | 'connectionTimeoutMs' | 'requestTimeoutMs' | 'sasl' | 'tls' | 'maxInflatedBatchBytes'
>

/** What a client is handed beside its settings. */
export interface KafkajsSurroundings {
  readonly clock: Clock
  readonly log: Log
  /** Gets a token for `oauthbearer`; asked again before the one it gave expires. */
  readonly getToken?: ((scope: string) => Promise<string>) | undefined
  /** Sees what kafkajs logs before anybody else; what it throws is thrown where kafkajs logged. */
  readonly onEntry?: (entry: LogEntry) => void
  /** Default: those of kafkajs. */
  readonly connections?: Connections
}

/** Makes the client that consumers and producers come from; nothing is connected yet. */
export function createKafkajsClient(settings: ConnectionSettings, surroundings: KafkajsSurroundings): Kafka {
  registerCodecs(settings.maxInflatedBatchBytes)
  calmRequestQueue()
  stopFetching()
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
    logCreator: () => clientLog(surroundings),
    ...(surroundings.connections === undefined ? {} : { socketFactory: surroundings.connections.open })
  }
  return new Kafka(sasl === undefined ? config : { ...config, sasl: toSaslOptions(sasl, surroundings) })
}

// said outright: kafkajs has other defaults where NODE_ENV is "test"
const CONNECT_RETRY = { retries: 5, initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1000 }

/** Read for each connection: a rotated key is shown by the next one. */
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

/** Read for each connection: a rotated password is shown by the next one. */
function toSaslOptions(sasl: SaslSettings, { getToken }: KafkajsSurroundings): SASLOptions {
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
      if (getToken === undefined) throw new Error('Nothing was handed in that gets a token for `oauthbearer`.')
      return { value: await getToken(sasl.scope) }
    }
  }
}
