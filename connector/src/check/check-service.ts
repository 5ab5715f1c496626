import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from '@keystamp/cosmos'
import { checkSink, type CheckOptions } from './check-sink.ts'
import type { CheckDependencies } from './check-parts.ts'
import type { CheckReport } from './check-report.ts'
import type { ServiceSettings, SinkSettings } from '../config/settings.ts'
import { createKafkajsClient } from '../kafka/kafka-client.ts'
import { createKafkajsProbe } from './kafkajs-probe.ts'
import { createDecoder } from '../decode/decoder.ts'
import { checkRegistry } from '../decode/registry-client.ts'
import { MACHINE_CLOCK } from '../lifecycle/clock.ts'
import { defaultDependencies } from '../dependencies.ts'
import { createRecordMapper } from '../map/record-mapper.ts'
import type { Log } from '../log.ts'
import { findEntraCredential, getEntraToken } from '../write/entra.ts'

/** Checks the real services of every sink: Kafka, the registry, Cosmos DB, and the destination of rejected records. */
export async function checkService({ sinks }: ServiceSettings, options: CheckOptions): Promise<CheckReport> {
  const reports = await Promise.all(sinks.map((settings) => checkSink(settings, machineParts(settings), options)))
  return { ok: reports.every(({ findings }) => findings.every(({ state }) => state !== 'failed')), sinks: reports }
}

function machineParts(settings: SinkSettings): CheckDependencies {
  const { kafka, cosmos, registry, key, value } = settings
  const usesRegistry = key.format === 'registry' || value.format === 'registry'
  const client = createKafkajsClient(kafka, { clock: MACHINE_CLOCK, log: SILENT, getToken: getEntraToken })
  return {
    kafka: createKafkajsProbe({ kafka: client, settings: kafka, name: `keystamp-check-${randomUUID()}`, sleep: pause }),
    openAccount: async (container) => {
      const { endpoint, database, preferredRegions } = cosmos
      const who = cosmos.key === undefined ? { credential: await findEntraCredential() } : { key: cosmos.key.reveal() }
      return openAccount({ endpoint, database, container, preferredRegions, ...who })
    },
    checkRegistry: registry === undefined || !usesRegistry ? undefined : () => checkRegistry(registry),
    rejects: defaultDependencies(settings, SILENT).createDeadLetterWriter(),
    createDecoder: () => createDecoder(settings),
    createRecordMapper: (definition) => createRecordMapper({ settings, container: definition, random: Math.random }),
    sleep: pause
  }
}

// the report holds the findings
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

// the timer must not keep the process alive
async function pause(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false })
}
