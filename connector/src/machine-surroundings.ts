import type { Kafka } from 'kafkajs'
import type { SinkSettings } from './config/settings.ts'
import { createKafkajsClient } from './consume/kafkajs-client.ts'
import { createKafkajsConsumer } from './consume/kafkajs-consumer.ts'
import { createDecoder } from './decode/decoder.ts'
import { createLog } from './log.ts'
import { type AuthGrace, createAuthGrace } from './lifecycle/auth-grace.ts'
import { MACHINE_CLOCK } from './lifecycle/clock.ts'
import { createDeadLetterFile } from './dead-letter/dead-letter-file.ts'
import { createDeadLetterTopic } from './dead-letter/dead-letter-topic.ts'
import { createKafkajsProducer } from './dead-letter/kafkajs-producer.ts'
import type { DeadLetterWriter } from './dead-letter/dead-letter-writer.ts'
import { maxDeadLetterBytesOf } from './dead-letter/dead-letter-record.ts'
import { createTolerance } from './dead-letter/rejection-handler.ts'
import { createRecordMapper } from './map/record-mapper.ts'
import type { SinkSurroundings } from './surroundings.ts'
import type { Log } from './log.ts'
import { findEntraCredential } from './write/entra.ts'
import { openTarget } from './write/open-target.ts'

/** The real parts of a sink: Kafka, the registry, Cosmos DB. This file knows them all. */
export function machineSurroundings(
  settings: SinkSettings,
  log: Log = createLog({ level: 'info' }).forSink(settings.name)
): SinkSurroundings {
  const { kafka: kafkaSettings, cosmos, rejects, maxBytes } = settings
  const { tolerance } = rejects
  const auth = createAuthGrace({ clock: MACHINE_CLOCK, graceMs: settings.authGraceMs, reread })
  // a producer that was refused is made anew, with its client
  const kafka = (): Kafka => createKafkajsClient(kafkaSettings, { clock: MACHINE_CLOCK, log, getToken })

  return {
    clock: MACHINE_CLOCK,
    log,
    auth,
    createConsumer: () => createKafkajsConsumer({ settings: kafkaSettings, clock: MACHINE_CLOCK, log, getToken, auth }),
    createDecoder: () => createDecoder(settings, { auth }),
    createDeadLetterWriter: () => createDeadLetterWriter(settings, { kafka, log, auth }),
    createTolerance: () => (tolerance === undefined ? undefined : createTolerance(tolerance)),
    openTarget: async (container, maySend, onStopped, onLate) =>
      await openTarget({
        cosmos,
        container,
        credential: cosmos.key === undefined ? await findEntraCredential() : undefined,
        share: cosmos.share === 'partitions' ? '100%' : cosmos.share,
        createRecordMapper: (definition) => createRecordMapper({ settings, container: definition, random: Math.random }),
        maxBytes,
        maySend,
        onLate,
        clock: MACHINE_CLOCK,
        auth,
        onStopped
      })
  }

  async function reread(): Promise<void> {
    try {
      await settings.rereadCredentials?.()
    } catch (error) {
      log.warn({}, `secret files could not be read again, the former credentials stay: ${(error as Error).message}`)
    }
  }
}

interface RejectParts {
  readonly kafka: () => Kafka
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
      log.warn({ topic }, `A copy was too large for the dead letter topic: ${instead === 'skip' ? 'there is none' : 'it has no value'}.`)
  })
}

async function getToken(scope: string): Promise<string> {
  const token = await (await findEntraCredential()).getToken(scope)
  return token?.token ?? ''
}
