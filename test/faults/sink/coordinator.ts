import kafkajs, { type Cluster } from 'kafkajs'
import { setTimeout as pass } from 'node:timers/promises'

/** Number of the broker that coordinates this group. */
export function findCoordinator(brokers: string, group: string): Promise<number> {
  return withCluster(brokers, (coordinatorOf) => coordinatorOf(group))
}

/**
 * Finds a name for a group that another broker than the first one coordinates: the first is the controller. It leads
 * all partitions until the others have started, too.
 */
export function findMovableGroup(brokers: string, topic: string): Promise<string> {
  return withCluster(brokers, async (coordinatorOf) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const group = `group-${attempt}-${topic}`
      if ((await coordinatorOf(group)) !== 1) return group
      await pass(ATTEMPT_MS)
    }
    throw new Error(`The first broker coordinates all of ${MAX_ATTEMPTS} groups.`)
  })
}

async function withCluster<Answer>(
  brokers: string,
  ask: (coordinatorOf: (group: string) => Promise<number>) => Promise<Answer>
): Promise<Answer> {
  const kafka = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING })
  let cluster!: Coordinating
  // only assigners get the cluster of a client
  const consumer = kafka.consumer({
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
    return await ask(async (groupId) => {
      const found = await cluster.findGroupCoordinatorMetadata({ groupId, coordinatorType: OF_GROUPS })
      return found.coordinator.nodeId
    })
  } finally {
    await consumer.disconnect()
  }
}

/** Members of a cluster that kafkajs does not declare, or declares otherwise. */
interface Coordinating extends Pick<Cluster, 'refreshMetadata'> {
  readonly findGroupCoordinatorMetadata: (group: {
    readonly groupId: string
    readonly coordinatorType: number
  }) => Promise<{ readonly coordinator: { readonly nodeId: number } }>
}

const OF_GROUPS = 0
const MAX_ATTEMPTS = 300
const ATTEMPT_MS = 100
