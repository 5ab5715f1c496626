import type { Broker, Cluster } from 'kafkajs'
import KafkajsCluster from 'kafkajs/src/cluster/index.js'
import OffsetManager from 'kafkajs/src/consumer/offsetManager/index.js'

/** Objects of kafkajs that send requests to the coordinator of a group. */
export interface CoordinatorUser {
  readonly cluster: Pick<Cluster, 'findGroupCoordinator'>
  readonly groupId: string
  coordinator: Broker
}

export interface CoordinatorRequest<Answer> {
  readonly send: (coordinator: Broker) => Promise<Answer>
  /** Whether the generation that the request names is still the last one. */
  readonly isCurrent: () => boolean
}

/**
 * Sends a request to the coordinator of the group. If the coordinator has moved, or its broker does not answer, finds
 * the coordinator again and sends the request once more: the new coordinator knows the members and the generation of
 * the group. Returns undefined if the generation ended before the request could be sent.
 *
 * kafkajs asks for the coordinator only with each join. If the broker of the coordinator does not come back, kafkajs
 * retries to connect to it until its retries are used up. Meanwhile it sends no heartbeat and no commit.
 */
export async function askCoordinator<Answer>(
  user: CoordinatorUser,
  { send, isCurrent }: CoordinatorRequest<Answer>
): Promise<Answer | undefined> {
  const coordinator = await connectedCoordinator(user)
  if (!isCurrent()) return undefined
  try {
    return await send(coordinator)
  } catch (error) {
    if (!isAway(error)) throw error
    const isFound = await findAgain(user)
    if (!isFound || !isCurrent()) throw error
    return send(user.coordinator)
  }
}

/**
 * Returns the coordinator of the group, connected if that is possible. Never throws: a request to the former
 * coordinator fails, and its error says why.
 */
export async function connectedCoordinator(user: CoordinatorUser): Promise<Broker> {
  if (!user.coordinator.isConnected()) await findAgain(user)
  return user.coordinator
}

/** Searches in progress, by cluster: heartbeats, commits and offset requests share a search. */
const searches: WeakMap<CoordinatorUser['cluster'], Promise<Broker | undefined>> = new WeakMap()

/** Finds the coordinator. Returns whether it was found and is connected. */
async function findAgain(user: CoordinatorUser): Promise<boolean> {
  const { cluster, coordinator: former } = user
  let search = searches.get(cluster)
  if (search === undefined) {
    search = cluster
      .findGroupCoordinator({ groupId: user.groupId })
      .catch(() => undefined)
      .finally(() => searches.delete(cluster))
    searches.set(cluster, search)
  }
  const found = await search
  if (found === undefined) return false
  // otherwise a join has found the coordinator during the search
  if (user.coordinator === former) user.coordinator = found
  return true
}

/** Whether the coordinator may have moved, or needs a new connection. */
function isAway(error: unknown): boolean {
  const { name, type } = error as { readonly name?: string; readonly type?: string }
  return AWAY.has(type ?? name ?? '')
}

const AWAY: ReadonlySet<string> = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  // if a machine or its network disappears, the connection stays open
  'KafkaJSRequestTimeoutError',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP'
])

/**
 * Patches the search of all clients, and the offset managers of all consumers, which ask the coordinator for the first
 * offsets after a join.
 */
export function findCoordinatorsAgain(): void {
  const { findGroupCoordinator } = KafkajsCluster.prototype
  KafkajsCluster.prototype.findGroupCoordinator = async function findOrRefresh(group) {
    try {
      return await findGroupCoordinator.call(this, group)
    } catch (error) {
      // kafkajs asks the brokers that it knows, also if none of them has that address any more
      await this.refreshMetadata().catch(() => undefined)
      throw error
    }
  }
  OffsetManager.prototype.getCoordinator = getConnected
}

function getConnected(this: CoordinatorUser): Promise<Broker> {
  return connectedCoordinator(this)
}
