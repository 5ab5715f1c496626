import type { Position } from '@keystamp/core'
import type { Admin, Kafka, LogEntry } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type AuthGrace, MAX_REFUSED_MS, RetryDelay } from '../lifecycle/auth-grace.ts'
import { type Clock, withTimeout, waitFor } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { Assignment, Delivery } from './delivery.ts'
import { type Connections, createConnections, createKafkajsClient, TOPIC_GONE } from './kafka-client.ts'
import type { Commit, Consumer, ConsumerListener, TopicPartition } from './consumer-port.ts'
import { findSurely, findTopics, type TopicWatch, watchTopics } from './topics.ts'
import { askTheGroup } from './group-queries.ts'
import type { Joined } from './kafkajs-patches/group-joins.ts'
import { RefusedRequests, toKafkaTrouble } from './kafka-errors.ts'
import { createMember, type Member } from './kafkajs-member.ts'
import { learnPositions } from './start-positions.ts'
import { recoverPosition } from './recover-position.ts'
import { StoredOffsets } from './stored-offsets.ts'

export interface KafkajsConsumerOptions {
  readonly settings: KafkaSettings
  readonly clock: Clock
  readonly log: Log
  /** Gets a token for `oauthbearer`. */
  readonly getToken?: ((scope: string) => Promise<string>) | undefined
  /** Default: refused credentials end the work. */
  readonly auth?: AuthGrace | undefined
  /** How often kafkajs tries again, counted from the last join, until a new member is made. Default: 30, which takes most of a minute. */
  readonly retries?: number
}

/** Makes a member of the group that the settings name, over kafkajs. Nothing is connected before `start`. */
export function createKafkajsConsumer(options: KafkajsConsumerOptions): Consumer {
  return new KafkajsConsumer(options)
}

/** kafkajs fetches, joins and heartbeats; where reading goes on is decided here: after every join the positions are asked for anew. */
class KafkajsConsumer implements Consumer {
  readonly committed: Consumer['committed']
  readonly countPartitions: Consumer['countPartitions']
  readonly ends: Consumer['ends']
  readonly resumeDelayMs: number
  readonly sessionTimeoutMs: number
  readonly #options: KafkajsConsumerOptions
  readonly #delivery: Delivery
  #listener: ConsumerListener | undefined
  #connections: Connections = createConnections()
  #kafka: Kafka
  /** Made anew with each member: one that has heard of a topic which is then deleted can do nothing more. */
  #admin: Admin
  #topics: readonly string[] = []
  #member: Member | undefined
  #memberId: string | undefined
  /** The name that this member had before it joined again. */
  #former: string | undefined
  #lastHeartbeatMs: number
  /** Nothing more is told. */
  #isOver = false
  #isRestarting = false
  #stopped: Promise<unknown> | undefined
  #watch: TopicWatch | undefined
  readonly #refused: RefusedRequests
  readonly #stored: StoredOffsets
  readonly #rangesDelay: RetryDelay = new RetryDelay(RANGES_AGAIN_MS)

  constructor(options: KafkajsConsumerOptions) {
    const { settings, clock } = options
    this.#options = options
    this.#refused = new RefusedRequests(options.auth)
    this.#stored = new StoredOffsets({
      settings,
      clock,
      log: options.log,
      admin: () => this.#admin,
      move: (range) => this.#delivery.deliverFrom(range, this.#tell((listener) => listener.outOfRange(range)) ?? range.to),
      fail: (error) => this.#fail(error)
    })
    this.resumeDelayMs = settings.maxWaitMs
    // a member that does not rejoin within the rebalance timeout is dropped, also before its session ends
    this.sessionTimeoutMs = Math.min(settings.sessionTimeoutMs, settings.rebalanceTimeoutMs)
    this.#lastHeartbeatMs = clock.now()
    this.#kafka = this.#createClient()
    this.#admin = this.#kafka.admin()
    const questions = askTheGroup({ admin: () => this.#admin, group: settings.group, topics: () => this.#topics, refused: this.#refused })
    this.committed = async (partitions) => {
      const committed = await questions.committed(partitions)
      this.#stored.heard(committed)
      return committed
    }
    this.countPartitions = questions.countPartitions
    this.ends = questions.ends
    this.#delivery = new Delivery({
      received: (batch) => this.#tell((listener) => listener.received(batch)),
      seek: (place, position) => this.#member?.seek(place, position)
    })
  }

  get lastHeartbeatMs(): number {
    return this.#lastHeartbeatMs
  }

  async start(listener: ConsumerListener): Promise<void> {
    this.#listener = listener
    try {
      await this.#admin.connect()
      if (!this.#isOver) this.#topics = await this.#findTopics()
      if (!this.#isOver) await this.#join()
      // stopped meanwhile: what was opened since is closed
      if (this.#isOver) return await this.#close()
    } catch (error) {
      if (this.#stopped !== undefined) return
      const trouble = toKafkaTrouble(error, `to let this member into the group "${this.#options.settings.group}"`)
      if (!trouble.passes) throw trouble.error
      this.#options.log.warn({ code: trouble.error.code }, `${trouble.error.message} Trying again until it does.`)
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

  deliverFrom(place: TopicPartition, position: Position): void {
    this.#delivery.deliverFrom(place, position)
  }

  async commit(commits: readonly Commit[]): Promise<readonly Commit[]> {
    const { assignment } = this.#delivery
    const isGone = assignment.isKnown && (await this.#stored.beforeCommit(assignment.partitions, () => this.#isLast(assignment)))
    // the commits are of an assignment that has ended, or of a topic that was created again
    if (isGone || assignment !== this.#delivery.assignment) return []
    const owned = commits.filter((commit) => assignment.owns(commit) && this.#stored.mayCommit(commit))
    if (owned.length === 0 || this.#member === undefined) return []
    try {
      if (!(await this.#member.commit(owned))) return []
      this.#stored.stored(owned)
      return owned
    } catch (error) {
      const trouble = toKafkaTrouble(error, 'to store positions')
      // a rebalance: nothing was stored, and the next owner of the partitions commits
      if (trouble.isMembership) return []
      throw trouble.error
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#watch?.stop()
    this.#delivery.begin(new Assignment([]))
    this.#stopped ??= withTimeout(this.#close(), PATIENCE_MS, this.#options.clock).finally(() => this.#connections.close())
    await this.#stopped
  }

  #createClient(): Kafka {
    const { settings, clock, log, getToken } = this.#options
    const onEntry = (entry: LogEntry): void => this.#onLogged(entry)
    return createKafkajsClient(settings, { clock, log, getToken, onEntry, connections: this.#connections })
  }

  async #close(): Promise<void> {
    await Promise.allSettled([this.#member?.stop(), this.#admin.disconnect()])
  }

  /** Joins as a member that is new to the group. */
  async #join(): Promise<void> {
    const { settings } = this.#options
    const member: Member = createMember({
      kafka: this.#kafka,
      settings,
      clock: this.#options.clock,
      topics: this.#topics,
      former: this.#former,
      retries: this.#options.retries ?? RETRIES,
      host: {
        joined: (joined) => this.#onJoined(member, joined),
        rebalancing: () => (member === this.#member ? this.#tell((listener) => listener.rebalancing()) : undefined),
        fetched: (fetched) => (member === this.#member ? this.#delivery.fetched(fetched) : undefined),
        passedOver: (place) => (member === this.#member ? this.#delivery.passedOver(place) : undefined),
        outOfRange: (place) => (member === this.#member ? this.#onOutOfRange(place) : Promise.resolve()),
        heard: (sentMs) => void (this.#lastHeartbeatMs = sentMs),
        strangeTopics: () => this.#watch?.look(),
        crashed: (error) => void this.#onCrashed(member, error)
      }
    })
    this.#member = member
    await member.start()
  }

  #onJoined(member: Member, { memberId, partitions, joinRequests }: Joined): void {
    if (this.#isOver || member !== this.#member) return
    // Others may have owned the partitions since the join before, also those that this member has again: a new member id means that the
    // coordinator dropped this member, a second JoinGroup request that a generation may have been formed and ended between the two.
    if (this.#memberId !== undefined && (this.#memberId !== memberId || joinRequests > 1)) this.#lose()
    this.#refused.joined()
    this.#memberId = memberId
    const assignment = new Assignment(partitions)
    this.#delivery.begin(assignment)
    member.pause(this.#delivery.paused)
    assignment.known = learnPositions({
      assignment,
      isCurrent: () => assignment === this.#delivery.assignment,
      find: () => this.#refused.ask(START_POSITIONS, () => this.#stored.find(partitions)),
      onLearned: (found) => {
        this.#delivery.seekAll()
        if (found.starts.length > 0) this.#tell((listener) => listener.learned(found.starts))
        this.#stored.take(found)
      },
      clock: this.#options.clock,
      passes: (trouble) => this.#refused.passes(trouble, START_POSITIONS),
      fail: (error) => this.#fail(error)
    })
    this.#tell((listener) => listener.assigned(partitions))
  }

  #isLast(assignment: Assignment): boolean {
    return !this.#isOver && assignment === this.#delivery.assignment
  }

  #lose(): void {
    this.#delivery.begin(new Assignment([]))
    this.#former = this.#memberId ?? this.#former
    this.#memberId = undefined
    this.#tell((listener) => listener.assigned([]))
  }

  #onLogged({ log: { error } }: LogEntry): void {
    if (error === TOPIC_GONE) this.#watch?.look()
  }

  async #onOutOfRange(place: TopicPartition): Promise<void> {
    const { assignment } = this.#delivery
    const { clock, log, settings } = this.#options
    await recoverPosition({
      place,
      assignment,
      isCurrent: () => this.#isLast(assignment),
      lostOffsets: settings.lostOffsets,
      admin: { fetchTopicOffsets: (name) => this.#refused.ask(RANGES, () => this.#admin.fetchTopicOffsets(name)) },
      clock,
      delay: this.#rangesDelay,
      log,
      passes: (trouble) => this.#refused.passes(trouble, RANGES),
      seek: (position) => this.#delivery.deliverFrom(place, position),
      outOfRange: (range) => this.#tell((listener) => listener.outOfRange(range)),
      fail: (error) => this.#fail(error)
    })
  }

  async #onCrashed(member: Member, error: Error): Promise<void> {
    if (this.#isOver || member !== this.#member || this.#isRestarting) return
    const trouble = toKafkaTrouble(error, 'this member of the group')
    if (!this.#refused.passes(trouble, MEMBERSHIP)) return this.#fail(trouble.error)
    this.#options.log.warn({ code: trouble.error.code }, `${trouble.error.message} Joining again.`)
    await this.#restart()
  }

  /** Leaves, and joins as a new member, as often as it takes. */
  async #restart(): Promise<void> {
    this.#isRestarting = true
    try {
      if (this.#memberId !== undefined) this.#lose()
      for (let waitMs = RESTART_MS; !this.#isOver; waitMs = Math.min(2 * waitMs, this.#longestWaitMs)) {
        // oxlint-disable-next-line no-await-in-loop -- one member at a time
        if (await this.#joinAgain()) return
        // oxlint-disable-next-line no-await-in-loop -- after a while
        await waitFor(waitMs, this.#options.clock)
      }
    } finally {
      this.#isRestarting = false
    }
  }

  /** Accounts are locked where a wrong password is shown too often. */
  get #longestWaitMs(): number {
    const isRefused = this.#options.auth?.waits.some(({ service }) => service === 'Kafka')
    return isRefused === true ? MAX_REFUSED_MS : RESTART_MOST_MS
  }

  async #joinAgain(): Promise<boolean> {
    try {
      await this.#close()
      if (this.#isOver) return true
      // whatever still asks by way of the former client is not to connect it again
      this.#connections.close()
      this.#connections = createConnections()
      this.#kafka = this.#createClient()
      this.#admin = this.#kafka.admin()
      await this.#admin.connect()
      this.#topics = await findSurely(() => this.#findTopics(), this.#options.clock)
      if (!this.#isOver) await this.#join()
      if (this.#isOver) await this.#close()
      return true
    } catch (error) {
      const trouble = toKafkaTrouble(error, 'this member of the group')
      const passes = this.#refused.passes(trouble, MEMBERSHIP)
      if (!passes) this.#fail(trouble.error)
      return !passes
    }
  }

  #findTopics(): Promise<readonly string[]> {
    return findTopics(this.#admin, this.#options.settings.topics)
  }

  #onFound(topics: readonly string[]): void {
    if (this.#isOver || this.#isRestarting) return
    if (topics.join('\n') === this.#topics.join('\n')) return this.#lookAtStored()
    this.#options.log.info({ topics: topics.length }, 'other topics match the pattern now: joining the group anew')
    this.#tell((listener) => listener.rebalancing())
    void this.#restart()
  }

  #lookAtStored(): void {
    const { assignment } = this.#delivery
    if (assignment.isKnown && assignment.partitions.length > 0)
      void this.#stored.look(assignment.partitions, () => this.#isLast(assignment))
  }

  /** Calls the listener; what it throws is its own mistake, and ends the work. */
  #tell<Answer>(call: (listener: ConsumerListener) => Answer): Answer | undefined {
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
    // still a member, so that what is settled can be committed before it leaves
    this.#member?.pause(this.#delivery.assignment.partitions)
    this.#listener?.failed(error)
  }
}

const RETRIES = 30
/** Requests that refused credentials are counted by. */
const START_POSITIONS = 'start positions'
const RANGES = 'where partitions begin and end'
const MEMBERSHIP = 'membership'
/** A broker that does not answer cannot keep this process from ending. */
const PATIENCE_MS = 5000
const RESTART_MS = 200
const RESTART_MOST_MS = 3000
const RANGES_AGAIN_MS = 100
