import { KeystampError } from '@keystamp/core'
import { openControlDocuments } from '@keystamp/cosmos'
import { movedSettings } from '../config/schema/move-schema.ts'
import type { MoveSettings, SinkSettings } from '../config/settings.ts'
import { ENTRA } from '../write/entra.ts'
import { SWITCH_CONTAINER, switchId, type SwitchRecord, toSwitchRecord } from './switch-record.ts'

/** Where the switch record of one group is stored. */
export interface SwitchRecords {
  /** Reads the record; undefined if there is none yet. A replica that is behind may return the former one. */
  readonly read: () => Promise<StoredSwitch | undefined>
  /** Stores the record. Returns false if it was changed since `after` was read; without `after`, it must not exist. */
  readonly put: (record: SwitchRecord, after: StoredSwitch | undefined) => Promise<boolean>
  /** Creates the container of the records, unless it exists. */
  readonly create: () => Promise<void>
  readonly close: () => void
}

export interface StoredSwitch {
  readonly record: SwitchRecord
  readonly etag: string
}

/** Opens the record of the group, in the database of the target. Sends nothing before the first call. */
export function openSwitchRecords(settings: SinkSettings, move: MoveSettings): SwitchRecords {
  const { endpoint, key, database, preferredRegions } = movedSettings(settings, move).cosmos
  const { group } = settings.kafka
  const id = switchId(move.name, group)
  const who = key === undefined ? { credential: ENTRA } : { key: key.reveal }
  const documents = openControlDocuments({ endpoint, ...who, database, preferredRegions, container: SWITCH_CONTAINER })
  return {
    read: async () => {
      const found = await documents.read(id)
      if (found === undefined) return undefined
      const record = toSwitchRecord(found.content, group)
      if (record === undefined) {
        const what = `The document ${id} in ${documents.name} is not a switch record of the group ${group}.`
        throw new KeystampError('CONFIG_INVALID', `${what} Choose another name for the switch.`)
      }
      return { record, etag: found.etag }
    },
    put: (record, after) => documents.put(record, after?.etag),
    create: documents.createContainer,
    close: documents.close
  }
}
