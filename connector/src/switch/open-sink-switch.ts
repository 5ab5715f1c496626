import { KeystampError } from '@keystamp/core'
import { type Admin, AssignerProtocol } from 'kafkajs'
import type { SinkSettings } from '../config/settings.ts'
import { createKafkajsClient } from '../kafka/kafka-client.ts'
import { partitionName } from '../kafka/consumer-port.ts'
import { MACHINE_CLOCK } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { getEntraToken } from '../write/entra.ts'
import { type GroupPartition, type GroupState, SinkSwitch } from './sink-switch.ts'
import { switchId } from './switch-record.ts'
import { openSwitchRecords } from './switch-records.ts'

/** A switch of the sinks of one group, with the connections that it needs. */
export interface OpenSinkSwitch {
  readonly steps: Pick<SinkSwitch, 'request' | 'complete' | 'cancel'>
  readonly close: () => Promise<void>
}

/** Opens the switch that the configuration of the sinks describes. Throws CONFIG_INVALID if it has no `move`. */
export async function openSinkSwitch(
  settings: SinkSettings,
  { confirmMs = CONFIRM_MS, onStep }: { readonly confirmMs?: number; readonly onStep: (sentence: string) => void }
): Promise<OpenSinkSwitch> {
  const { kafka, move, name } = settings
  if (move === undefined)
    throw new KeystampError(
      'CONFIG_INVALID',
      `The sink ${name} has no \`move\`: it cannot switch to another container.`
    )
  const id = switchId(move.name, kafka.group)
  const records = openSwitchRecords(settings, move)
  const admin = createKafkajsClient(kafka, { clock: MACHINE_CLOCK, log: SILENT, getToken: getEntraToken }).admin()
  await admin.connect()
  const steps = new SinkSwitch({
    id,
    group: kafka.group,
    records,
    readGroup: () => readGroup(admin, kafka.group),
    clock: MACHINE_CLOCK,
    confirmMs,
    onStep
  })
  return {
    steps,
    close: async () => {
      records.close()
      await admin.disconnect()
    }
  }
}

const CONFIRM_MS = 30_000
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Reads the members, the partitions of their topics, and the stored offsets. */
async function readGroup(
  admin: Pick<Admin, 'describeGroups' | 'fetchOffsets' | 'fetchTopicMetadata'>,
  group: string
): Promise<GroupState> {
  const { groups } = await admin.describeGroups([group])
  const { state, members } = groups[0]
  const owners = new Map<string, string>()
  const topics = new Set<string>()
  for (const { clientId, clientHost, memberMetadata, memberAssignment } of members) {
    for (const topic of AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? []) topics.add(topic)
    const { assignment = {} } = AssignerProtocol.MemberAssignment.decode(memberAssignment) ?? {}
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions)
        owners.set(partitionName({ topic, partition }), `member ${clientId} at ${clientHost}`)
    }
  }
  if (state !== 'Stable' || topics.size === 0)
    return { isStable: state === 'Stable' || state === 'Empty', partitions: [] }
  const metadata = await admin.fetchTopicMetadata({ topics: [...topics] })
  const offsets = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const stored = new Map(
    offsets.flatMap(({ topic, partitions }) =>
      partitions.map((each) => [partitionName({ topic, partition: each.partition }), each])
    )
  )
  const partitions = metadata.topics.flatMap(({ name, partitions: known }) =>
    known.map(({ partitionId: partition }): GroupPartition => {
      const each = { topic: name, partition }
      const { offset = '-1', metadata: text } = stored.get(partitionName(each)) ?? {}
      const owner = owners.get(partitionName(each))
      return { ...each, position: Number(offset) < 0 ? undefined : Number(offset), metadata: text ?? '', owner }
    })
  )
  return { isStable: true, partitions }
}
