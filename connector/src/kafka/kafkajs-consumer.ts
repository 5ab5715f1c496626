import type { Position } from '@keystamp/core'
import type { LogEntry } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { Assignment, Delivery } from './delivery.ts'
import { createKafkajsClient, TOPIC_GONE } from './kafka-client.ts'
import type { Commit, Consumer, ConsumerListener, TopicPartition } from './consumer-port.ts'
import { createGroupQueries, findTopics, findTopicsWithRetry, type TopicWatch, watchTopics } from './topics.ts'
import type { Joined } from './kafkajs-patches/group-joins.ts'
import { RefusedRequests, toKafkaFailure } from './kafka-errors.ts'
import { createMember, type Member } from './kafkajs-member.ts'
import { ReadingPositions } from './reading-positions.ts'
import { CurrentClient, Rejoin } from './rejoin.ts'

export interface KafkajsConsumerOptions {
  readonly settings: KafkaSettings
  readonly clock: Clock
  readonly log: Log
  /** Gets a token for `oauthbearer`. */
  readonly getToken?: ((scope: string) => Promise<string>) | undefined
  /** Default: refused credentials end the consumer. */
  readonly auth?: AuthGrace | undefined
  /**
   * Number of retries by kafkajs when a request of a joined member fails. After the last one, this consumer creates a
   * new member. Default: 30, which takes most of a minute.
   */
  readonly retries?: number
  /** Whether records get the id of their topic. Default: false. */
  readonly readsTopicIds?: boolean
}

/** Creates a consumer that uses kafkajs. It connects in `start`. */
export function createKafkajsConsumer(options: KafkajsConsumerOptions): Consumer {
  return new KafkajsConsumer(options)
}

/** Consumer of one group. kafkajs fetches, joins and sends heartbeats; this class decides where reading continues. */
class KafkajsConsumer implements Consumer {
  readonly committed: Consumer['committed']
  readonly countPartitions: Consumer['countPartitions']
  readonly ends: Consumer['ends']
  readonly resumeDelayMs: number
  readonly sessionTimeoutMs: number
  readonly #options: KafkajsConsumerOptions
  readonly #delivery: Delivery
  #listener: ConsumerListener | undefined
  readonly #client: CurrentClient
  #topics: readonly string[] = []
  #member: Member | undefined
  #memberId: string | undefined
  /** Member id before the last rejoin. */
  #former: string | undefined
  #lastHeartbeatMs: number
  /** True once the listener must not be called any more. */
  #isOver = false
  #stopped: Promise<unknown> | undefined
  #watch: TopicWatch | undefined
  readonly #refused: RefusedRequests
  readonly #positions: ReadingPositions
  readonly #rejoin: Rejoin

  constructor(options: KafkajsConsumerOptions) {
    const { settings, clock } = options
    this.#options = options
    this.#refused = new RefusedRequests(options.auth)
    this.#positions = new ReadingPositions({
      settings,
      clock,
      log: options.log,
      refused: this.#refused,
      admin: () => this.#client.admin,
      delivery: () => this.#delivery,
      isOver: () => this.#isOver,
      notify: (call) => this.#notify(call),
      fail: (error) => this.#fail(error)
    })
    this.resumeDelayMs = settings.maxWaitMs
    // the group drops a member that does not rejoin within the rebalance timeout, even before its session ends
    this.sessionTimeoutMs = Math.min(settings.sessionTimeoutMs, settings.rebalanceTimeoutMs)
    this.#lastHeartbeatMs = clock.now()
    const onEntry = ({ log }: LogEntry): void => void (log['error'] === TOPIC_GONE && this.#watch?.look())
    this.#client = new CurrentClient((connections) =>
      createKafkajsClient(settings, { ...options, connections, onEntry })
    )
    this.#rejoin = new Rejoin({ clock, auth: options.auth, isOver: () => this.#isOver, tryJoin: () => this.#tryJoin() })
    const queries = createGroupQueries({
      admin: () => this.#client.admin,
      group: settings.group,
      topics: () => this.#topics,
      refused: this.#refused,
      onCommitted: (committed) => this.#positions.stored.update(committed)
    })
    this.committed = queries.committed
    this.countPartitions = queries.countPartitions
    this.ends = queries.ends
    this.#delivery = new Delivery({
      received: (batch) => this.#notify((listener) => listener.received(batch)),
      seek: (topicPartition, position) => this.#member?.seek(topicPartition, position)
    })
  }

  get lastHeartbeatMs(): number {
    return this.#lastHeartbeatMs
  }

  async start(listener: ConsumerListener): Promise<void> {
    this.#listener = listener
    try {
      await this.#client.admin.connect()
      if (!this.#isOver) this.#topics = await this.#findTopics()
      if (!this.#isOver) await this.#join()
      // stop() was called meanwhile: closes what was opened since
      if (this.#isOver) return await this.#close()
    } catch (error) {
      if (this.#stopped !== undefined) return
      const failure = toKafkaFailure(error, `to let this member into the group "${this.#options.settings.group}"`)
      if (!failure.passes) throw failure.error
      this.#options.log.warn({ code: failure.error.code }, `${failure.error.message} Retrying.`)
      await this.#restart()
    }
    if (this.#isOver) return
    this.#watch = watchTopics({
      clock: this.#options.clock,
      everyMs: this.#options.settings.metadataMaxAgeMs,
      find: () => this.#findTopics(),
      onFound: (topics) => this.#onFound(topics),
      onMissing: (error) => this.#fail(error)
    })
  }

  pause(partitions: readonly TopicPartition[]): void {
    this.#delivery.pause(partitions)
    this.#member?.pause(partitions)
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.#delivery.resume(partitions)
    this.#member?.resume(partitions)
  }

  deliverFrom(topicPartition: TopicPartition, position: Position): void {
    this.#delivery.deliverFrom(topicPartition, position)
  }

  async commit(commits: readonly Commit[]): Promise<readonly Commit[]> {
    const { assignment } = this.#delivery
    const { stored } = this.#positions
    const isLast = (): boolean => this.#positions.isLast(assignment)
    const isGone = assignment.isKnown && (await stored.beforeCommit(assignment.partitions, isLast))
    // the commits are of an assignment that has ended, or of a topic that was created again
    if (isGone || assignment !== this.#delivery.assignment) return []
    const owned = commits.filter((commit) => assignment.owns(commit) && stored.mayCommit(commit))
    if (owned.length === 0 || this.#member === undefined) return []
    try {
      if (!(await this.#member.commit(owned))) return []
      stored.stored(owned)
      return owned
    } catch (error) {
      const failure = toKafkaFailure(error, 'to commit offsets')
      // a rebalance: nothing was stored, and the next owner of the partitions commits
      if (failure.isMembership) return []
      throw failure.error
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#watch?.stop()
    this.#delivery.begin(new Assignment([]))
    const { clock } = this.#options
    await (this.#stopped ??= withTimeout(this.#close(), STOP_TIMEOUT_MS, clock).finally(() => this.#client.close()))
  }

  async #close(): Promise<void> {
    await Promise.allSettled([this.#member?.stop(), this.#client.admin.disconnect()])
  }

  /** Creates a new member, which joins the group. */
  async #join(): Promise<void> {
    const { settings, clock, retries = RETRIES, readsTopicIds } = this.#options
    const isCurrent = (): boolean => member === this.#member
    const member: Member = createMember({
      kafka: this.#client.kafka,
      settings,
      clock,
      retries,
      readsTopicIds,
      topics: this.#topics,
      former: this.#former,
      listener: {
        joined: (joined) => this.#onJoined(member, joined),
        rebalancing: () => void (isCurrent() && this.#notify((listener) => listener.rebalancing())),
        assignment: () => (isCurrent() ? this.#delivery.assignment : undefined),
        decide: (fetched, assignment) => this.#delivery.decide(fetched, assignment),
        deliver: (batch) => this.#delivery.deliver(batch),
        emptyFetch: (topicPartition) => (isCurrent() ? this.#delivery.emptyFetch(topicPartition) : undefined),
        outOfRange: async (topicPartition) => (isCurrent() ? this.#positions.recover(topicPartition) : undefined),
        heartbeat: (sentMs) => void (this.#lastHeartbeatMs = sentMs),
        unsubscribedTopics: () => this.#watch?.look(),
        crashed: (error) => void this.#onCrashed(member, error)
      }
    })
    this.#member = member
    await member.start()
  }

  #onJoined(member: Member, { memberId, partitions, joinRequests }: Joined): void {
    if (this.#isOver || member !== this.#member) return
    // Other members may have owned the partitions since the previous join, even those that this member owns again. A
    // new member id means that the coordinator dropped this member. A second JoinGroup request means that a generation
    // may have begun and ended between the two requests.
    if (this.#memberId !== undefined && (this.#memberId !== memberId || joinRequests > 1)) this.#lose()
    this.#refused.joined()
    this.#memberId = memberId
    const assignment = new Assignment(partitions)
    this.#delivery.begin(assignment)
    member.pause(this.#delivery.paused)
    assignment.known = this.#positions.learn(assignment)
    this.#notify((listener) => listener.assigned(partitions))
  }

  #lose(): void {
    this.#delivery.begin(new Assignment([]))
    this.#former = this.#memberId ?? this.#former
    this.#memberId = undefined
    this.#notify((listener) => listener.assigned([]))
  }

  async #onCrashed(member: Member, error: Error): Promise<void> {
    if (this.#isOver || member !== this.#member || this.#rejoin.isRunning) return
    const failure = toKafkaFailure(error, 'to serve this member of the group')
    if (!this.#refused.passes(failure, MEMBERSHIP)) return this.#fail(failure.error)
    this.#options.log.warn({ code: failure.error.code }, `${failure.error.message} Rejoining.`)
    await this.#restart()
  }

  /** Leaves, and joins as a new member. */
  #restart(): Promise<void> {
    return this.#rejoin.run(() => {
      if (this.#memberId !== undefined) this.#lose()
    })
  }

  async #tryJoin(): Promise<boolean> {
    try {
      await this.#close()
      if (this.#isOver) return true
      this.#client.renew()
      await this.#client.admin.connect()
      this.#topics = await findTopicsWithRetry(() => this.#findTopics(), this.#options.clock)
      if (!this.#isOver) await this.#join()
      if (this.#isOver) await this.#close()
      return true
    } catch (error) {
      const failure = toKafkaFailure(error, 'to serve this member of the group')
      const passes = this.#refused.passes(failure, MEMBERSHIP)
      if (!passes) this.#fail(failure.error)
      return !passes
    }
  }

  #findTopics(): Promise<readonly string[]> {
    return findTopics(this.#client.admin, this.#options.settings.topics)
  }

  #onFound(topics: readonly string[]): void {
    if (this.#isOver || this.#rejoin.isRunning) return
    if (topics.join('\n') === this.#topics.join('\n')) return this.#positions.check()
    this.#options.log.info({ topics: topics.length }, 'other topics match the pattern now: joining the group again')
    this.#notify((listener) => listener.rebalancing())
    void this.#restart()
  }

  /** Calls the listener. An error that it throws is a defect, and ends the consumer. */
  #notify<Answer>(call: (listener: ConsumerListener) => Answer): Answer | undefined {
    if (this.#isOver || this.#listener === undefined) return undefined
    try {
      return call(this.#listener)
    } catch (error) {
      this.#fail(error as Error)
      return undefined
    }
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#watch?.stop()
    // the member stays in the group, so that the sink can commit what is settled before it leaves
    this.#member?.pause(this.#delivery.assignment.partitions)
    this.#listener?.failed(error)
  }
}

const RETRIES = 30
const MEMBERSHIP = 'membership'
/** Longest wait of `stop` for brokers that do not answer, in milliseconds. */
const STOP_TIMEOUT_MS = 5000
