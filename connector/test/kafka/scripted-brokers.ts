import { setTimeout as pass } from 'node:timers/promises'
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
const { prototype } = load('kafkajs/src/broker') as { readonly prototype: Record<string, unknown> }
const { KafkaJSConnectionClosedError, KafkaJSConnectionError, KafkaJSProtocolError, KafkaJSRequestTimeoutError } = load(
  'kafkajs/src/errors'
) as Record<string, new (error: unknown, facts?: object) => Error>

/** A connection of kafkajs to one broker. */
interface Connected {
  readonly connectionPool: { readonly host: string; readonly port: number }
}

/** The parts of a request about a group that are scripted. */
interface GroupRequest {
  readonly memberId: string
  readonly groupGenerationId: number
  readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[]
  readonly groupAssignment: readonly { readonly memberAssignment: Buffer }[]
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly StoredOffset[] }[]
}

interface StoredOffset {
  readonly partition: number
  readonly offset: string
  readonly metadata: string | null
}

type Method<Answer = unknown> = (broker: Connected, request: GroupRequest) => Answer

/** An offset that a coordinator has stored. */
interface GroupCommit {
  readonly node: number
  readonly generation: number
  readonly offset: string
}

const FIRST_PORT = 9000
/** Distance between the addresses of a broker. */
const MOVE = 100
const TOPIC = 'scripted'
const FETCH_MS = 20
const TIMEOUT_MS = 100

/**
 * A cluster without a network, for all clients of kafkajs in this process: one topic with one partition, and one group
 * of one member, whose state each coordinator knows. kafkajs finds and connects brokers by its own code.
 */
export class ScriptedBrokers {
  readonly topic = TOPIC
  readonly commits: GroupCommit[] = []
  /** Nodes that answered a heartbeat, in order. */
  readonly heartbeats: number[] = []
  /** Nodes to which a member sent LeaveGroup, in order. */
  readonly left: number[] = []
  joins = 0
  fetches = 0
  coordinator: number
  generation = 0
  /** Called when a member gets its assignment, before kafkajs knows it. */
  onSynced: () => void = () => {}
  readonly #size: number
  /** Killed nodes: their connections are closed, and the other nodes do not list them. */
  readonly #killed: Set<number> = new Set()
  /** Nodes that answer nothing, and whose connections stay open. */
  readonly #frozen: Set<number> = new Set()
  readonly #connected: WeakSet<Connected> = new WeakSet()
  #moves = 0
  readonly #before: Map<string, unknown> = new Map()
  #stored: StoredOffset | undefined

  constructor(size: number, coordinator: number) {
    this.#size = size
    this.coordinator = coordinator
    this.#replace()
  }

  /** Address that always leads to a living broker. */
  get address(): string {
    return `127.0.0.1:${FIRST_PORT}`
  }

  kill(node: number): void {
    this.#killed.add(node)
  }

  restart(node: number): void {
    this.#killed.delete(node)
  }

  freeze(node: number): void {
    this.#frozen.add(node)
  }

  /** All brokers get new addresses, and the connections to the former ones are closed. */
  move(): void {
    this.#moves++
  }

  /** Gives kafkajs its methods back. */
  remove(): void {
    for (const [name, method] of this.#before) prototype[name] = method
  }

  get #nodes(): readonly number[] {
    return Array.from({ length: this.#size }, (_, index) => index + 1)
  }

  get #living(): readonly number[] {
    return this.#nodes.filter((node) => !this.#killed.has(node))
  }

  #replace(): void {
    const sync = this.#coordinated(({ groupAssignment }) => ({ memberAssignment: groupAssignment[0].memberAssignment }))
    const own: Record<string, Method> = {
      isConnected: (broker) => {
        if (this.#isGone(broker)) this.#connected.delete(broker)
        return this.#connected.has(broker)
      },
      connect: async (broker) => this.#connect(broker),
      disconnect: async (broker) => void this.#connected.delete(broker),
      metadata: this.#answered(() => this.#metadata()),
      findGroupCoordinator: this.#answered(() => ({ coordinator: { nodeId: this.coordinator } })),
      listOffsets: this.#answered(() => ({
        responses: [{ topic: TOPIC, partitions: [{ partition: 0, offset: '0' }] }]
      })),
      fetch: this.#answered(async () => {
        await pass(FETCH_MS)
        this.fetches++
        return { responses: [] }
      }),
      joinGroup: this.#coordinated((request) => this.#join(request)),
      syncGroup: async (broker, request) => {
        const answer = await sync(broker, request)
        this.onSynced()
        return answer
      },
      heartbeat: this.#coordinated((request, node) => {
        this.#checkGeneration(request)
        this.heartbeats.push(node)
      }),
      leaveGroup: this.#coordinated((_, node) => void this.left.push(node)),
      offsetCommit: this.#coordinated((request, node) => this.#commit(request, node)),
      offsetFetch: this.#coordinated(() => {
        const none = { partition: 0, offset: '-1', metadata: null }
        return { responses: [{ topic: TOPIC, partitions: [this.#stored ?? none] }] }
      })
    }
    for (const [name, method] of Object.entries(own)) {
      this.#before.set(name, prototype[name])
      prototype[name] = function scripted(this: Connected, request: GroupRequest) {
        return method(this, request)
      }
    }
  }

  #connect(broker: Connected): void {
    if (!this.#isGone(broker)) return void this.#connected.add(broker)
    const { host, port } = broker.connectionPool
    const address = `${host}:${port}`
    throw new KafkaJSConnectionError(`connect ECONNREFUSED ${address}`, { broker: address, code: 'ECONNREFUSED' })
  }

  #isGone(broker: Connected): boolean {
    const { port } = broker.connectionPool
    const node = this.#nodeOf(broker)
    return this.#killed.has(node) || (port !== FIRST_PORT && port !== this.#portOf(node))
  }

  #nodeOf({ connectionPool: { port } }: Connected): number {
    return port === FIRST_PORT ? this.#living[0] : (port - FIRST_PORT) % MOVE
  }

  #portOf(node: number): number {
    return FIRST_PORT + node + this.#moves * MOVE
  }

  /** A request that any broker answers. kafkajs connects before the request, even if the connection was lost. */
  #answered<Answer>(
    answer: (request: GroupRequest, node: number) => Answer | Promise<Answer>
  ): Method<Promise<Answer>> {
    return async (broker, request) => {
      const node = this.#nodeOf(broker)
      this.#connect(broker)
      if (this.#frozen.has(node)) {
        await pass(TIMEOUT_MS)
        throw new KafkaJSRequestTimeoutError('Request timed out')
      }
      const given = await answer(request, node)
      if (!this.#isGone(broker)) return given
      const { host, port } = broker.connectionPool
      throw new KafkaJSConnectionClosedError('Closed connection', { host, port })
    }
  }

  /** A request that only the coordinator answers. */
  #coordinated<Answer>(answer: (request: GroupRequest, node: number) => Answer): Method<Promise<Answer>> {
    return this.#answered((request, node) => {
      if (node === this.coordinator) return answer(request, node)
      throw refusal('NOT_COORDINATOR_FOR_GROUP')
    })
  }

  #metadata(): object {
    return {
      brokers: this.#living.map((nodeId) => ({ nodeId, host: '127.0.0.1', port: this.#portOf(nodeId), rack: null })),
      topicMetadata: [
        {
          topic: TOPIC,
          partitionMetadata: [{ partitionId: 0, leader: this.#living[0], replicas: this.#nodes, isr: this.#living }]
        }
      ]
    }
  }

  #join({ groupProtocols: [protocol] }: GroupRequest): object {
    this.joins++
    const memberId = 'member'
    return {
      generationId: ++this.generation,
      leaderId: memberId,
      memberId,
      members: [{ memberId, memberMetadata: protocol.metadata }],
      groupProtocol: protocol.name
    }
  }

  #commit(request: GroupRequest, node: number): void {
    this.#checkGeneration(request)
    this.#stored = request.topics[0].partitions[0]
    this.commits.push({ node, generation: request.groupGenerationId, offset: this.#stored.offset })
  }

  #checkGeneration({ groupGenerationId }: GroupRequest): void {
    if (groupGenerationId !== this.generation) throw refusal('ILLEGAL_GENERATION')
  }
}

function refusal(type: string): Error {
  return new KafkaJSProtocolError({ type, code: 0, message: type, retriable: false })
}
