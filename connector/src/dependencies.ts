import type { LateRequest } from '@keystamp/cosmos'
import type { Kafka } from 'kafkajs'
import type { SinkSettings } from './config/settings.ts'
import { movedSettings } from './config/schema/move-schema.ts'
import { createDeadLetterFile } from './dead-letter/dead-letter-file.ts'
import { maxDeadLetterBytesOf } from './dead-letter/dead-letter-record.ts'
import { createDeadLetterTopic } from './dead-letter/dead-letter-topic.ts'
import type { DeadLetterWriter } from './dead-letter/dead-letter-writer.ts'
import { createKafkajsProducer } from './dead-letter/kafkajs-producer.ts'
import { createTolerance, type Tolerance } from './dead-letter/rejection-handler.ts'
import type { Decoder } from './decode/decoder.ts'
import { createShapedDecoder } from './shape/shaped-decoder.ts'
import type { Consumer } from './kafka/consumer-port.ts'
import { type Connections, createKafkajsClient } from './kafka/kafka-client.ts'
import { createKafkajsConsumer } from './kafka/kafkajs-consumer.ts'
import { type AuthGrace, createAuthGrace } from './lifecycle/auth-grace.ts'
import { type Clock, MACHINE_CLOCK } from './lifecycle/clock.ts'
import { createLog, type Log } from './log.ts'
import { createRecordMapper } from './map/record-mapper.ts'
import { openSwitchRecords, type SwitchRecords } from './switch/switch-records.ts'
import type { Side } from './write/targets.ts'
import { findEntraCredential, getEntraToken } from './write/entra.ts'
import { openTarget, type Target } from './write/target.ts'

/** Dependencies through which a sink reaches its process and the network. Tests replace some of them. */
export interface SinkDependencies {
  readonly clock: Clock
  readonly log: Log
  /** Default: refused credentials end the sink. */
  readonly auth?: AuthGrace | undefined
  readonly createConsumer: () => Consumer
  readonly createDecoder: () => Decoder
  readonly createDeadLetterWriter: () => DeadLetterWriter | undefined
  readonly createTolerance: () => Tolerance | undefined
  /**
   * Opens a container for writing. The target sends nothing while `maySend` returns false. It calls `onStopped` when it
   * can never send again. It calls `onLate` for each request that Cosmos DB may apply late: after one of its partitions
   * has moved to another member, or after the retry of the request. `side`: `target` for the container of `move.to`.
   */
  readonly openTarget: (
    container: string,
    maySend: () => boolean,
    onStopped: (error: Error) => void,
    onLate: (late: LateRequest) => void,
    side: Side
  ) => Promise<Target>
  /** Opens the switch record; called only for settings with `move`. */
  readonly createSwitchRecords?: (() => Pick<SwitchRecords, 'read' | 'close'>) | undefined
}

/**
 * Creates the dependencies of a sink in production: kafkajs, the schema registry, Cosmos DB, and the destination of
 * rejected records.
 */
export function defaultDependencies(
  settings: SinkSettings,
  log: Log = createLog({ level: 'info' }).forSink(settings.name)
): SinkDependencies {
  const { kafka: kafkaSettings, rejects, move } = settings
  const moved = move === undefined ? settings : movedSettings(settings, move)
  const { tolerance } = rejects
  const auth = createAuthGrace({ clock: MACHINE_CLOCK, graceMs: settings.authGraceMs, reread })
  // a producer whose credentials were refused is replaced, together with its client
  const kafka = (connections: Connections): Kafka =>
    createKafkajsClient(kafkaSettings, { clock: MACHINE_CLOCK, log, getToken: getEntraToken, connections })

  return {
    clock: MACHINE_CLOCK,
    log,
    auth,
    createConsumer: () =>
      createKafkajsConsumer({
        settings: kafkaSettings,
        clock: MACHINE_CLOCK,
        log,
        getToken: getEntraToken,
        auth,
        readsTopicIds: settings.write.newerBy !== undefined
      }),
    createDecoder: () => createShapedDecoder(settings, { auth }),
    createDeadLetterWriter: () => createDeadLetterWriter(settings, { kafka, log, auth }),
    createTolerance: () => (tolerance === undefined ? undefined : createTolerance(tolerance)),
    createSwitchRecords: move === undefined ? undefined : () => openSwitchRecords(settings, move),
    openTarget: async (container, maySend, onStopped, onLate, side) => {
      const used = side === 'target' ? moved : settings
      const { cosmos } = used
      return await openTarget({
        cosmos,
        container,
        credential: cosmos.key === undefined ? await findEntraCredential() : undefined,
        share: cosmos.share === 'partitions' ? '100%' : cosmos.share,
        newerBy: used.write.newerBy,
        createRecordMapper: (definition) =>
          createRecordMapper({ settings: used, container: definition, random: Math.random }),
        maySend,
        onLate,
        log,
        clock: MACHINE_CLOCK,
        auth,
        onStopped
      })
    }
  }

  async function reread(): Promise<void> {
    try {
      await settings.rereadCredentials?.()
    } catch (error) {
      warnUnread(log, (error as Error).message)
    }
  }
}

/** Logs that secret files could not be read again. */
export function warnUnread(log: Pick<Log, 'warn'>, reason: string): void {
  log.warn({}, `could not read secret files again, keeping the former credentials: ${reason}`)
}

interface RejectParts {
  readonly kafka: (connections: Connections) => Kafka
  readonly log: Log
  readonly auth: AuthGrace
}

function createDeadLetterWriter(
  { name, rejects, kafka: { brokers } }: SinkSettings,
  { kafka, log, auth }: RejectParts
): DeadLetterWriter | undefined {
  const { policy, topic, file, tooLarge } = rejects
  if (policy !== 'copy') return undefined
  if (file !== undefined) return createDeadLetterFile({ path: file })
  return createDeadLetterTopic({
    producer: createKafkajsProducer(kafka, topic!),
    topic: topic!,
    auth,
    tooLarge,
    maxDeadLetterBytes: maxDeadLetterBytesOf(brokers),
    name,
    onTooLarge: (instead) =>
      log.warn(
        { topic },
        `A copy was too large for the dead-letter topic: ${instead === 'skip' ? 'it was not stored' : 'it was stored without its value'}.`
      )
  })
}
