import { type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type Committed, partitionName, type TopicPartition } from './consumer-port.ts'

/** What the group has stored for these partitions. */
export async function readCommitted(
  admin: Pick<Admin, 'fetchOffsets'>,
  groupId: string,
  partitions: readonly TopicPartition[]
): Promise<readonly Committed[]> {
  if (partitions.length === 0) return []
  const stored = await admin.fetchOffsets({ groupId, topics: [...new Set(partitions.map(({ topic }) => topic))] })
  const byName = new Map(
    stored.flatMap(({ topic, partitions: all }) =>
      all.map(({ partition, offset, metadata }) => [partitionName({ topic, partition }), { offset, metadata }] as const)
    )
  )
  return partitions.map(({ topic, partition }) => {
    const { offset = NONE, metadata } = byName.get(partitionName({ topic, partition })) ?? {}
    return { topic, partition, position: Number(offset) < 0 ? undefined : toPosition(offset), metadata: metadata ?? '' }
  })
}

const NONE = '-1'

/** Where each partition begins: behind what was committed, or at one end of it. */
export async function findStartPositions(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>,
  { group, from }: Pick<KafkaSettings, 'group' | 'from'>,
  partitions: readonly TopicPartition[]
): Promise<Map<string, Position>> {
  const committed = await readCommitted(admin, group, partitions)
  const starts = new Map<string, Position>()
  for (const { position, ...place } of committed) if (position !== undefined) starts.set(partitionName(place), position)
  const fresh = committed.filter(({ position }) => position === undefined)
  const names = new Set(fresh.map(partitionName))
  for (const topic of new Set(fresh.map((place) => place.topic))) {
    // oxlint-disable-next-line no-await-in-loop -- once in the life of a group
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const name = partitionName({ topic, partition })
      if (names.has(name)) starts.set(name, toPosition(from === 'earliest' ? low : high))
    }
  }
  return starts
}
