import { type KafkaHandle, startKafka } from '@keystamp/testkit'
import kafkajs, { type Admin, type Cluster, type Kafka } from 'kafkajs'
import { setTimeout as pass } from 'node:timers/promises'

/** Starts a cluster that a scenario may disturb. */
export async function startOwnBrokers(size: number): Promise<KafkaHandle> {
  const kafka = await startKafka({ size, env: { ...process.env, KEYSTAMP_KAFKA: undefined } })
  if ('missing' in kafka) throw new Error(kafka.missing)
  return kafka
}

/** Number of the broker that coordinates this group. */
export async function findCoordinator(brokers: string, group: string): Promise<number> {
  let cluster!: Coordinating
  // only assigners get the cluster of a client
  const consumer = clientOf(brokers).consumer({
    groupId: 'asks-for-coordinators',
    partitionAssigners: [
      (config) => {
        cluster = config.cluster
        return kafkajs.PartitionAssigners.roundRobin(config)
      }
    ]
  })
  await consumer.connect()
  try {
    await cluster.refreshMetadata()
    const found = await cluster.findGroupCoordinatorMetadata({ groupId: group, coordinatorType: OF_GROUPS })
    return found.coordinator.nodeId
  } finally {
    await consumer.disconnect()
  }
}

/**
 * Moves the coordinators of all groups to the other brokers: the first one is the controller, and coordinates all groups
 * if it was the first to start.
 */
export async function moveCoordinators(brokers: string, group: string): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [OFFSETS] })
    const others = topics[0].partitions.map(({ partitionId: partition, replicas }) => {
      const nodes = replicas.filter((node) => node !== 1)
      const leader = nodes[partition % nodes.length]
      return { partition, replicas: [leader, ...nodes.filter((node) => node !== leader)] }
    })
    const reassign = async (partitionAssignment: typeof others, replicas: number): Promise<void> => {
      await admin.alterPartitionReassignments({ topics: [{ topic: OFFSETS, partitionAssignment }] })
      // a reassignment that begins before the former one has ended has no effect
      await until('the partitions are reassigned', async () => {
        const { topics: found } = await admin.fetchTopicMetadata({ topics: [OFFSETS] })
        return found[0].partitions.every((one) => one.replicas.length === replicas && one.isr.length === replicas)
      })
    }
    const { length } = topics[0].partitions[0].replicas
    // a broker without a replica leads no partition
    await reassign(others, length - 1)
    await until('another broker coordinates the group', async () => (await findCoordinator(brokers, group)) !== 1)
    await reassign(
      others.map(({ partition, replicas }) => ({ partition, replicas: [...replicas, 1] })),
      length
    )
  })
}

/** Waits until every replica of every partition is in sync: any one broker can be killed then. */
export async function untilInSync(brokers: string): Promise<void> {
  await withAdmin(brokers, (admin) =>
    until('all replicas are in sync', async () => {
      const { topics } = await admin.fetchTopicMetadata()
      return topics.every(({ partitions }) => partitions.every(({ isr, replicas }) => isr.length === replicas.length))
    })
  )
}

async function withAdmin(brokers: string, work: (admin: Admin) => Promise<void>): Promise<void> {
  const admin = clientOf(brokers).admin()
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.disconnect()
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  // a broker that has just come back may not know all topics
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}.`)
    await pass(LOOK_AGAIN_MS)
  }
}

function clientOf(brokers: string): Kafka {
  return new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING })
}

/** Members of a cluster that kafkajs does not declare, or declares otherwise. */
interface Coordinating extends Pick<Cluster, 'refreshMetadata'> {
  readonly findGroupCoordinatorMetadata: (group: {
    readonly groupId: string
    readonly coordinatorType: number
  }) => Promise<{ readonly coordinator: { readonly nodeId: number } }>
}

const OF_GROUPS = 0
const OFFSETS = '__consumer_offsets'
const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 200
