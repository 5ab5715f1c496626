import { randomUUID } from 'node:crypto'
import { type Account, type ContainerDefinition, createWriter, openAccount } from '@keystamp/cosmos'
import { movedSettings } from '../config/schema/move-schema.ts'
import type { MoveSettings, SinkSettings } from '../config/settings.ts'
import { createRecordMapper, type RecordMapper } from '../map/record-mapper.ts'
import { switchId, type SwitchRecord } from '../switch/switch-record.ts'
import { openSwitchRecords } from '../switch/switch-records.ts'
import { ENTRA } from '../write/entra.ts'

/** The new container of a sink with `move`, and the switch record, for a check. Nothing is changed. */
export interface MoveProbe {
  /** Id of the switch record. */
  readonly id: string
  /** Settings with which the sink writes after the switch. */
  readonly settings: SinkSettings
  readonly openAccount: (
    container: string
  ) => Promise<Pick<Account, 'definition' | 'offer' | 'hasWriteRegions' | 'close'>>
  readonly createRecordMapper: (definition: ContainerDefinition) => RecordMapper
  /** Reads the switch record; undefined if there is none yet. */
  readonly readSwitch: () => Promise<SwitchRecord | undefined>
  /** Deletes a document that does not exist, as a sink would. Rejects if Cosmos DB does not permit that. */
  readonly tryDelete: (definition: ContainerDefinition) => Promise<void>
}

export function openMoveProbe(sink: SinkSettings, move: MoveSettings): MoveProbe {
  const settings = movedSettings(sink, move)
  const { endpoint, database, preferredRegions, key } = settings.cosmos
  const who = key === undefined ? { credential: ENTRA } : { key: key.reveal }
  const address = (container: string) => ({ endpoint, ...who, database, container, preferredRegions })
  return {
    id: switchId(move.name, sink.kafka.group),
    settings,
    openAccount: async (container) => openAccount(address(container)),
    createRecordMapper: (container) => createRecordMapper({ settings, container, random: Math.random }),
    readSwitch: async () => {
      const records = openSwitchRecords(sink, move)
      try {
        return (await records.read())?.record
      } finally {
        records.close()
      }
    },
    tryDelete: async ({ partitionKey: { paths } }) => {
      const id = `keystamp-${randomUUID()}`
      const writer = await createWriter({ ...address(move.to.container), share: PROBE_RU, retryForMs: PROBE_MS })
      try {
        await writer.write({ kind: 'delete', key: paths.map(() => id), id })
      } finally {
        await writer.close(0)
      }
    }
  }
}

const PROBE_RU = 1000
const PROBE_MS = 10_000
