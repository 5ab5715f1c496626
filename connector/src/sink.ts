import { randomUUID } from 'node:crypto'
import { KeystampError } from '@keystamp/core'
import type { SinkSettings } from './config/settings.ts'
import { TopicPattern } from './config/topic-pattern.ts'
import { createStartCheck } from './dead-letter/dead-letter-writer.ts'
import { createRejectionHandler } from './dead-letter/rejection-handler.ts'
import { defaultDependencies, type SinkDependencies } from './dependencies.ts'
import { type ConsumerListener, writeMetadata } from './kafka/consumer-port.ts'
import { createKafkaWaits } from './kafka/group-waits.ts'
import { authWaits } from './lifecycle/auth-grace.ts'
import { rateLimited } from './lifecycle/clock.ts'
import { type Wait, Waits, waitText, watchForStalls } from './lifecycle/waits.ts'
import { Committer } from './partition/committer.ts'
import { Ownership } from './partition/ownership.ts'
import type { PartitionWorker } from './partition/partition-worker.ts'
import { watchUntilEnd } from './partition/until-end.ts'
import { Partitions } from './partition/partitions.ts'
import { createRecordCounts } from './partition/record-counts.ts'
import { Switching } from './partition/switching.ts'
import { type SinkEnd, SinkLifecycle, type SinkState } from './sink-lifecycle.ts'
import { type SinkStats, sinkStats } from './sink-stats.ts'
import { LateRequests } from './write/late-requests.ts'
import { drainedPlan, switchId } from './switch/switch-record.ts'
import { createSinkTargets, divideBudget } from './write/targets.ts'

/** Sink from Kafka topics to Cosmos DB containers. */
export interface Sink {
  readonly name: string
  readonly state: SinkState
  /**
   * Connects and joins the group, once. Rejects with the reason if the start fails; also resolves if `stop` interrupts
   * the start.
   */
  readonly start: () => Promise<void>
  /**
   * Takes no new records, waits for the outcomes of the records in flight, commits, and leaves the group. Resolves when
   * the sink has ended.
   */
  readonly stop: () => Promise<void>
  /** Resolves when the sink was stopped or has failed. */
  readonly ended: Promise<SinkEnd>
  readonly stats: () => SinkStats
}

/**
 * Creates a sink from one of the `sinks` that `readConfig` returns. Opens no connection before `start`. `changes`
 * replace dependencies, for tests.
 */
export function createSink(settings: SinkSettings, changes: Partial<SinkDependencies> = {}): Sink {
  // a plain object lacks the defaults and the checks of readConfig; the whole result of readConfig is not one sink
  if (settings?.rejects === undefined || settings.kafka === undefined) {
    throw new KeystampError(
      'CONFIG_INVALID',
      'createSink needs one of the `sinks` that readConfig returns, but got something else.'
    )
  }
  return assembleSink(settings, { ...defaultDependencies(settings, changes.log), ...changes })
}

/** Connects the parts of a sink to each other. */
export function assembleSink(settings: SinkSettings, dependencies: SinkDependencies): Sink {
  const { clock, log } = dependencies
  const { kafka } = settings
  const self = randomUUID()
  const counts = createRecordCounts()
  const warn = rateLimited(clock, (sentence) => log.warn({}, sentence))

  const lifecycle = new SinkLifecycle({
    clock,
    log,
    shutdownMs: settings.shutdownMs,
    startTimers,
    checkRejects: () => rejectCheck.run(),
    openContainers,
    joinGroup: () => consumer.start(listener),
    partitions: () => partitions,
    commitLast: (hasLeft) => committer.commitLast(hasLeft),
    loseAll: () => ownership.close(),
    closings: (deadlineMs) => [
      () => consumer.stop(),
      () => targets.close(deadlineMs),
      () => deadLetters?.close(),
      () => decoder.close(),
      () => late.close()
    ],
    waitingFor
  })
  const fail = (error: Error): void => lifecycle.fail(error)

  const consumer = dependencies.createConsumer()
  const decoder = dependencies.createDecoder()
  const switchRecords = settings.move && dependencies.createSwitchRecords?.()
  const deadLetters = dependencies.createDeadLetterWriter()
  const rejectCheck = createStartCheck({ writer: deadLetters, clock, ended: lifecycle.ended })
  const rejects = createRejectionHandler({
    policy: settings.rejects.policy,
    stopsOn: new Set(kafka.onOversizedBatch === 'stop' ? ['BATCH_TOO_LARGE'] : []),
    writer: deadLetters,
    tolerance: dependencies.createTolerance(),
    onRejected: ({ topic }, { code }) => warn(`records of topic "${topic}" are rejected: ${code}`)
  })

  const late = new LateRequests({
    log,
    clock,
    handoverMs: kafka.handoverMs,
    requestTimeoutMs: settings.cosmos.requestTimeoutMs
  })
  const targets = createSinkTargets({
    settings,
    clock,
    auth: dependencies.auth,
    openTarget: (container, side) =>
      dependencies.openTarget(
        container,
        () => ownership.hasWritePermit,
        fail,
        (request) => late.add(request),
        side
      )
  })
  const budget =
    settings.cosmos.share === 'partitions'
      ? divideBudget({
          consumer,
          clock,
          owned: () => partitions.size,
          targets: targets.all,
          onCountFailed: ({ message }) => warn(`the RU budget is divided as before, retrying: ${message}`)
        })
      : undefined

  const partitions = new Partitions({
    consumer,
    clock,
    decoder,
    targetOf: (worker) => switching?.targetOf(worker) ?? targets.of(worker.topic),
    rejects,
    isAtomic: settings.write.atomic,
    counts,
    maxBytes: settings.maxBytes,
    onBegun: (worker) => ownership.begun(worker),
    onSettled: () => {
      committer.settled()
      switching?.settled()
    },
    fail
  })
  const switching =
    switchRecords &&
    new Switching({
      id: switchId(settings.move.name, kafka.group),
      records: switchRecords,
      targetOn: targets.on,
      clock,
      log,
      workers: () => partitions.workers,
      late,
      commit: () => committer.commit(),
      retake: (workers) => ownership.retake(workers),
      fail
    })
  const ownership = new Ownership({
    consumer,
    clock,
    partitions,
    switching,
    openTarget: targets.open,
    isOpen: targets.isOpen,
    self,
    metadataFor,
    handoverMs: kafka.handoverMs,
    acceptPlanChange: settings.acceptPlanChange,
    onChange: ({ lost, gained }) => {
      budget?.divide()
      log.info({ partitions: partitions.size, lost, gained }, 'partitions assigned')
    },
    onClaimed: () => budget?.divide(),
    onCommitFailed: (error) => kafkaWaits.failed(error),
    fail
  })
  const committer = new Committer({
    consumer,
    clock,
    everyMs: settings.commit.everyMs,
    everyRecords: settings.commit.everyRecords,
    workers: () => partitions.workers,
    mayCommit: () => ownership.isConfirmed,
    metadataFor,
    onCommitFailed: (error) => kafkaWaits.failed(error)
  })
  const committedMs = (): number => Math.max(committer.lastMs, ownership.claims.lastMs)

  const listener: ConsumerListener = {
    assigned: (topicPartitions) => ownership.assigned(topicPartitions),
    rebalancing: () => {
      ownership.rebalancing()
      late.flush()
      log.info({}, 'rebalance started')
    },
    received: (batch) => partitions.of(batch)?.take(batch) ?? batch.from,
    learned: (starts) => ownership.learned(starts),
    outOfRange: (range) => {
      const next = ownership.move(range)
      // without this commit the next owner would begin at the lost offset
      void committer.commit()
      return next
    },
    failed: fail
  }

  const kafkaWaits = createKafkaWaits({
    clock,
    consumer,
    isRebalancing: () => ownership.isRebalancing,
    isMember: () => lifecycle.isMember,
    isJoining: () => lifecycle.isJoining,
    storedMs: committedMs,
    isStoring: () => ownership.hasUncommitted
  })
  const waits = new Waits({ clock, log, sources: currentWaits })

  /** A request that the network may still deliver counts as in flight: the next owner waits for the handover period. */
  function metadataFor(worker: PartitionWorker, hasLeft: boolean): string {
    const { drained, target } = worker
    return writeMetadata({
      plan: drained === undefined ? target.fingerprint : drainedPlan(drained),
      drained,
      decided: switching?.decidedFor(worker),
      by: self,
      hasLeft: hasLeft && !late.isUnresolved(worker),
      partitions: worker.stored.initialPartitions
    })
  }

  /** Called before the group is joined: a sink that cannot write must not take partitions from those that can. */
  async function openContainers(): Promise<void> {
    if (!(kafka.topics instanceof TopicPattern)) await Promise.all(kafka.topics.map(targets.open))
  }

  const isSteady = (): boolean => lifecycle.state === 'running' && !ownership.isRebalancing

  function startTimers(): readonly { readonly stop: () => void }[] {
    committer.begin()
    const stalls = watchForStalls({
      clock,
      stallMs: settings.stallMs,
      progress: () => counts.written + counts.unchanged + counts.ignored + rejects.count,
      oldestOpen: () => partitions.oldestOpen,
      waitingFor,
      onStall: fail
    })
    waits.begin()
    switching?.begin()
    const untilEnd = watchUntilEnd({ kafka, consumer, clock, log, partitions, isSteady, stop: () => lifecycle.stop() })
    const timers = [budget, switching, committer, stalls, waits, untilEnd, partitions.watchEnds()]
    return timers.filter((timer) => timer !== undefined)
  }

  /** Collects the waits of all sources. A new source has to be added here. */
  function currentWaits(): readonly Wait[] {
    const all: Wait[] = [...targets.waits, ...kafkaWaits.waits, ...ownership.waits, ...(switching?.waits ?? [])]
    const copying = rejectCheck.waitingFor ?? rejects.waitingFor
    const copyReason = settings.rejects.file === undefined ? 'dead_letter_topic' : 'dead_letter_file'
    if (copying !== undefined) all.push({ reason: copyReason, detail: copying })
    all.push(...authWaits(dependencies.auth))
    if (decoder.waitingFor !== undefined) all.push({ reason: 'registry', detail: decoder.waitingFor })
    return all
  }

  function waitingFor(): string | undefined {
    const { current } = waits
    return current.length === 0 ? undefined : current.map(waitText).join('; ')
  }

  return {
    name: settings.name,
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    ended: lifecycle.ended,
    get state() {
      return lifecycle.state
    },
    stats: () =>
      sinkStats({
        state: lifecycle.state,
        counts,
        workers: [...partitions.workers],
        targets: [...targets.all()],
        rejected: rejects.byCode,
        commits: committer.commits + ownership.claims.count,
        lateRequests: late.counts,
        commitAgeMs: clock.now() - committedMs(),
        waits: waits.current,
        heartbeatAgeMs: clock.now() - consumer.lastHeartbeatMs
      })
  }
}
