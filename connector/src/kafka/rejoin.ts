import type { Admin, Kafka } from 'kafkajs'
import { backoffMs } from '@keystamp/core/internal'
import { type AuthGrace, MAX_REFUSED_MS } from '../lifecycle/auth-grace.ts'
import { type Clock, waitFor } from '../lifecycle/clock.ts'
import { type Connections, createConnections } from './kafka-client.ts'

/**
 * Client and admin of the current member. Each new member gets new ones: an admin stops working when a topic that it
 * knows is deleted, and late calls on the former client must not reconnect that client.
 */
export class CurrentClient {
  kafka: Kafka
  admin: Admin
  readonly #create: (connections: Connections) => Kafka
  #connections: Connections = createConnections()

  constructor(create: (connections: Connections) => Kafka) {
    this.#create = create
    this.kafka = create(this.#connections)
    this.admin = this.kafka.admin()
  }

  /** Replaces the client, and closes the connections of the former one. */
  renew(): void {
    this.close()
    this.#connections = createConnections()
    this.kafka = this.#create(this.#connections)
    this.admin = this.kafka.admin()
  }

  close(): void {
    this.#connections.close()
  }
}

export interface RejoinOptions {
  readonly clock: Clock
  readonly auth: AuthGrace | undefined
  readonly isOver: () => boolean
  /** Joins as a new member. Returns false if the caller has to try again. */
  readonly tryJoin: () => Promise<boolean>
}

/** Joins the group as a new member. Retries until `tryJoin` returns true, or the consumer has ended. */
export class Rejoin {
  isRunning = false
  readonly #options: RejoinOptions

  constructor(options: RejoinOptions) {
    this.#options = options
  }

  /** `prepare` runs once, before the first attempt. */
  async run(prepare: () => void): Promise<void> {
    const { clock, isOver, tryJoin } = this.#options
    this.isRunning = true
    try {
      prepare()
      for (let attempt = 0; !isOver(); attempt++) {
        if (await tryJoin()) return
        await waitFor(backoffMs(attempt, { firstMs: FIRST_WAIT_MS, maxMs: this.#maxWaitMs }), clock)
      }
    } finally {
      this.isRunning = false
    }
  }

  /** Longer while credentials are refused: a service can lock an account after too many wrong passwords. */
  get #maxWaitMs(): number {
    const isRefused = this.#options.auth?.waits.some(({ service }) => service === 'Kafka')
    return isRefused === true ? MAX_REFUSED_MS : MAX_WAIT_MS
  }
}

const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 3000
