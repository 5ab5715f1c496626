import { randomUUID } from 'node:crypto'
import { isKeystampError, KeystampError } from '@keystamp/core'
import type { SinkSettings } from './config/settings.ts'
import { TopicPattern } from './config/topic-pattern.ts'
import { Committer } from './partition/committer.ts'
import { writeMetadata } from './kafka/commit-metadata.ts'
import { watchEnds } from './partition/end-watch.ts'
import { createFlowControl } from './partition/flow-control.ts'
import { LeaveToSend } from './partition/write-permit.ts'
import { Membership } from './partition/membership.ts'
import { OpenWork } from './partition/open-work.ts'
import type { PartitionFlow } from './partition/partition-flow.ts'
import { closeInOrder } from './lifecycle/close-in-order.ts'
import { createKafkaWaits } from './kafka/group-waits.ts'
import { rateLimited, withTimeout } from './lifecycle/clock.ts'
import { createLifecycle } from './lifecycle/states.ts'
import { watchForStalls } from './lifecycle/stall-watch.ts'
import { type Wait, Waits, waitText } from './lifecycle/waits.ts'
import { Pipeline, type PipelineCounts } from './partition/pipeline.ts'
import { createStartCheck } from './dead-letter/dead-letter-writer.ts'
import { createRejectionHandler } from './dead-letter/rejection-handler.ts'
import type { Sink, SinkEnd } from './sink.ts'
import { sinkStats } from './sink-stats.ts'
import type { SinkDependencies } from './dependencies.ts'
import { divideBudget } from './write/budget-division.ts'
import { LateRequests } from './write/late-requests.ts'
import { createTargets } from './write/targets.ts'

/** Puts a sink together out of its parts. Nothing is connected before `start`. */
export function assembleSink(settings: SinkSettings, surroundings: SinkDependencies): Sink {
  const { clock, log } = surroundings
  const self = randomUUID()
  const counts: PipelineCounts = { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, redelivered: 0 }
  const lifecycle = createLifecycle((state, before) => log.info({ state, before }, 'sink changed its state'))
  let end!: (how: SinkEnd) => void
  const ended = new Promise<SinkEnd>((resolve) => {
    end = resolve
  })

  const consumer = surroundings.createConsumer()
  const decoder = surroundings.createDecoder()
  const deadLetterWriter = surroundings.createDeadLetterWriter()
  const leave = new LeaveToSend({ consumer, clock, isConfirmed: () => membership.isConfirmed })
  const late = new LateRequests({ log, clock, handoverMs: settings.kafka.handoverMs, requestTimeoutMs: settings.cosmos.requestTimeoutMs })
  const flowControl = createFlowControl(consumer, settings.maxBytes)
  const warnings = rateLimited(clock, (sentence) => log.warn({}, sentence))
  const rejects = createRejectionHandler({
    policy: settings.rejects.policy,
    stopsOn: new Set(settings.kafka.onOversizedBatch === 'stop' ? ['BATCH_TOO_LARGE'] : []),
    sink: deadLetterWriter,
    tolerance: surroundings.createTolerance(),
    onRejected: ({ topic }, { code }) => warnings(`records of topic "${topic}" are rejected: ${code}`)
  })
  const rejectCheck = createStartCheck({
    sink: deadLetterWriter,
    clock,
    ended
  })
  const targets = createTargets({
    cosmos: settings.cosmos,
    clock,
    auth: surroundings.auth,
    openTarget: (container) =>
      surroundings.openTarget(
        container,
        () => leave.isGiven,
        fail,
        (request) => late.heard(request)
      )
  })
  const budget =
    settings.cosmos.share === 'partitions'
      ? divideBudget({
          consumer,
          clock,
          owned: () => membership.size,
          targets: targets.all,
          onTrouble: ({ message }) => warnings(`the RU budget is divided as before, retrying: ${message}`)
        })
      : undefined
  const pipeline = new Pipeline({
    decoder,
    targetOf: targets.of,
    rejects,
    isAtomic: settings.write.atomic,
    counts,
    hasRoom: flowControl.hasRoom,
    onSettled,
    onRefused: () => open.refused(),
    fail
  })
  const membership = new Membership({
    consumer,
    clock,
    openTarget: targets.open,
    isOpen: targets.isOpen,
    self,
    metadataFor: (flow) => metadataFor(flow, false),
    handoverMs: settings.kafka.handoverMs,
    acceptPlanChange: settings.acceptPlanChange,
    onChange: ({ lost, gained }) => {
      flowControl.divideBy(membership.size)
      budget?.divide()
      log.info({ partitions: membership.size, lost, gained }, 'partitions assigned')
      // what was open of a lost partition does not hold up a shutdown
      open.settled()
    },
    onReady: (flow) => {
      budget?.divide()
      pipeline.run(flow)
    },
    onTrouble: (error) => kafkaWaits.failed(error),
    fail
  })
  const committer = new Committer({
    consumer,
    clock,
    everyMs: settings.commit.everyMs,
    everyRecords: settings.commit.everyRecords,
    flows: () => membership.flows,
    mayCommit: () => membership.isConfirmed,
    metadataFor,
    onTrouble: (error) => kafkaWaits.failed(error)
  })
  const kafkaWaits = createKafkaWaits({
    clock,
    consumer,
    isRebalancing: () => membership.isRebalancing,
    state: () => lifecycle.state,
    isJoining: () => isJoining,
    storedMs: () => Math.max(committer.lastMs, membership.claimedMs),
    isStoring: () => membership.hasUncommitted
  })
  const waits = new Waits({ clock, log, sources: currentWaits })
  const open = new OpenWork(() => membership.flows)
  /** What is looked at now and then, from the start on. */
  const watches: { readonly stop: () => void }[] = []
  let failure: Error | undefined
  let isJoining = false
  let starting: Promise<void> | undefined

  function metadataFor(flow: PartitionFlow, hasLeft: boolean): string {
    const { fingerprint } = targets.of(flow.topic)
    // a request that the network may still hold is on its way: the next owner waits the handover period
    const isClear = hasLeft && !late.isUnresolved(flow)
    return writeMetadata({ plan: fingerprint, by: self, hasLeft: isClear, partitions: flow.initialPartitions })
  }

  function onSettled(flow: PartitionFlow): void {
    flowControl.adjust(flow)
    committer.settled()
    open.settled()
  }

  /** One start, however often it is asked for. */
  function start(): Promise<void> {
    if (!isTaking()) return Promise.reject(tooLate())
    starting ??= begin()
    return starting
  }

  async function begin(): Promise<void> {
    beginWatching()
    try {
      for (const step of [rejectCheck.run, openListed, join]) {
        // somebody may have asked for the end meanwhile
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        if (lifecycle.state === 'starting') await step()
      }
    } catch (error) {
      fail(error as Error)
    }
    // what was given up because of an end that was asked for is no failure
    if (failure !== undefined) throw failure
  }

  /** Not before the start: what is made and never used must not keep its process alive. */
  function beginWatching(): void {
    committer.begin()
    const stalls = watchForStalls({
      clock,
      stallMs: settings.stallMs,
      progress: () => counts.written + counts.unchanged + counts.ignored + rejects.count,
      oldestOpen: () => open.oldest,
      waitingFor,
      onStall: fail
    })
    waits.begin()
    watches.push(committer, stalls, waits, watchEnds({ consumer, clock, flows: () => membership.flows }))
  }

  /** Whoever cannot write must not take partitions from those who can. What a pattern finds is opened when it is there. */
  async function openListed(): Promise<void> {
    const { topics } = settings.kafka
    if (!(topics instanceof TopicPattern)) await Promise.all(topics.map(targets.open))
  }

  async function join(): Promise<void> {
    isJoining = true
    try {
      await consumer.start({
        assigned: (partitions) => membership.assigned(partitions),
        rebalancing: () => {
          membership.rebalancing()
          late.flush()
          log.info({}, 'rebalance started')
        },
        received: (batch) => {
          const flow = membership.flowOf(batch)
          // after a shutdown begins nothing new is opened
          if (flow === undefined || !isTaking()) return flow?.expected ?? batch.from
          const next = pipeline.take(flow, batch)
          membership.hasBegun(flow)
          flowControl.adjust(flow)
          return next
        },
        learned: (starts) => membership.learned(starts),
        outOfRange: (range) => {
          const next = membership.move(range)
          // the group does not begin at the lost offset again
          void committer.commit()
          return next
        },
        failed: fail
      })
      lifecycle.on('started')
    } finally {
      isJoining = false
    }
  }

  async function stop(): Promise<void> {
    if (lifecycle.on('stopAsked')) void drain()
    await ended
  }

  async function drain(): Promise<void> {
    flowControl.holdAll(membership.flows)
    const isDone = await withTimeout(open.whenDone(), settings.shutdownMs, clock)
    if (!lifecycle.on('drained')) return
    // what is closed waits for nothing any more
    const error = isDone ? undefined : abandoned()
    await close(isDone ? SHORT_MS : 0, isDone)
    end({ state: 'stopped', error })
  }

  function fail(error: Error): void {
    if (!lifecycle.on('broken')) return
    failure = error
    log.error({ code: codeOf(error) }, error.message)
    flowControl.holdAll(membership.flows)
    if (!isOfRecord(error)) open.giveUp()
    void endWith(error)
  }

  /** Where a record stopped the sink, the others get their outcomes first: otherwise nothing in front of it would ever be committed. */
  async function endWith(error: Error): Promise<void> {
    if (isOfRecord(error)) await withTimeout(open.whenDone(), settings.shutdownMs, clock)
    await close(0, false)
    end({ state: 'failed', error })
  }

  /** What is settled is committed before the group is left; what is not will be read again. */
  async function close(deadlineMs: number, hasLeft: boolean): Promise<void> {
    budget?.stop()
    for (const watch of watches) watch.stop()
    await withTimeout(committer.commit(hasLeft), SHORT_MS, clock)
    membership.close()
    await closeInOrder([() => consumer.stop(), () => targets.close(deadlineMs), () => deadLetterWriter?.close()], (error) =>
      log.warn({ code: codeOf(error) }, `while closing: ${error.message}`)
    )
    decoder.close()
    late.close()
  }

  function isTaking(): boolean {
    return lifecycle.state === 'starting' || lifecycle.state === 'running'
  }

  /** Every source of waits; a new one is added here. */
  function currentWaits(): readonly Wait[] {
    const copying = rejectCheck.waitingFor ?? rejects.waitingFor
    const copyReason = settings.rejects.file === undefined ? 'dead_letter_topic' : 'dead_letter_file'
    const all: Wait[] = [...targets.waits, ...kafkaWaits.waits, ...membership.waits]
    if (copying !== undefined) all.push({ reason: copyReason, detail: copying })
    for (const { service, sinceMs } of surroundings.auth?.waits ?? []) {
      all.push({ reason: 'auth', subject: service, detail: `${service} refuses the credentials that it accepted before`, sinceMs })
    }
    if (decoder.waitingFor !== undefined) all.push({ reason: 'registry', detail: decoder.waitingFor })
    return all
  }

  function waitingFor(): string | undefined {
    const { current } = waits
    return current.length === 0 ? undefined : current.map(waitText).join('; ')
  }

  function abandoned(): KeystampError {
    const seconds = settings.shutdownMs / 1000
    const { count } = open
    return new KeystampError(
      'SHUTDOWN_TIMEOUT',
      `After ${seconds} s ${count} records still had no outcome (waiting for ${waitingFor() ?? 'nothing that is known'}). They are not ` +
        'committed and will be read again.'
    )
  }

  return {
    name: settings.name,
    start,
    stop,
    ended,
    get state() {
      return lifecycle.state
    },
    stats: () =>
      sinkStats({
        state: lifecycle.state,
        counts,
        flows: [...membership.flows],
        targets: [...targets.all()],
        rejected: rejects.byCode,
        pauses: flowControl.pauses,
        commits: committer.commits + membership.claims,
        lateRequests: late.counts,
        commitAgeMs: clock.now() - Math.max(committer.lastMs, membership.claimedMs),
        waits: waits.current,
        heartbeatAgeMs: clock.now() - consumer.lastHeartbeatMs
      })
  }
}

const SHORT_MS = 5000

function tooLate(): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', 'This sink has been stopped or has failed, and cannot be started again: make another one.')
}

/** The sink can still write. */
function isOfRecord(error: Error): boolean {
  return isKeystampError(error) && (error.code === 'RECORD_REJECTED' || error.code === 'TOLERANCE_EXCEEDED')
}

function codeOf(error: unknown): string | undefined {
  return isKeystampError(error) ? error.code : undefined
}
