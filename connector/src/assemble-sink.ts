import { randomUUID } from 'node:crypto'
import { isKeystampError, KeystampError } from '@keystamp/core'
import type { SinkSettings } from './config/settings.ts'
import { partitionName } from './consume/consumer-port.ts'
import { Committer } from './offsets/committer.ts'
import { writeMetadata } from './offsets/commit-metadata.ts'
import { watchEnds } from './offsets/end-watch.ts'
import { createFlowControl } from './offsets/flow-control.ts'
import { Membership } from './offsets/membership.ts'
import type { PartitionFlow } from './offsets/partition-flow.ts'
import { inTime } from './lifecycle/in-time.ts'
import { createLateClock } from './lifecycle/late-clock.ts'
import { nowAndThen } from './lifecycle/now-and-then.ts'
import { createLifecycle } from './lifecycle/states.ts'
import { watchForStalls } from './lifecycle/stall-watch.ts'
import { Pipeline, type PipelineCounts } from './pipeline.ts'
import { createRejectDesk } from './rejects/reject-desk.ts'
import { Unreachable } from './rejects/unreachable.ts'
import type { Sink, SinkEnd } from './sink.ts'
import { sinkStats } from './sink-stats.ts'
import type { SinkSurroundings } from './surroundings.ts'
import { divideBudget } from './write/budget-division.ts'
import { createTargets } from './write/targets.ts'

/** Puts a sink together out of its parts. Nothing is connected before `start`. */
export function assembleSink(settings: SinkSettings, surroundings: SinkSurroundings): Sink {
  const { clock, log } = surroundings
  const workClock = createLateClock(clock)
  const self = randomUUID()
  const counts: PipelineCounts = { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, skipped: 0 }
  const lifecycle = createLifecycle((state, before) => log.info({ state, before }, 'sink changed its state'))
  let end!: (how: SinkEnd) => void
  const ended = new Promise<SinkEnd>((resolve) => {
    end = resolve
  })

  const consumer = surroundings.createConsumer()
  const decoder = surroundings.createDecoder()
  const rejectSink = surroundings.createRejectSink()
  const flowControl = createFlowControl(consumer, settings.maxBytes)
  const warnings = nowAndThen(clock, (sentence) => log.warn({}, sentence))
  const rejects = createRejectDesk({
    policy: settings.rejects.policy,
    sink: rejectSink,
    tolerance: surroundings.createTolerance(),
    onRejected: ({ topic }, { code }) => warnings(`records of topic "${topic}" are rejected: ${code}`)
  })
  const targets = createTargets({
    cosmos: settings.cosmos,
    clock,
    openTarget: (container) => surroundings.openTarget(container, maySend),
    onTrouble: ({ message }) => warnings(`a container could not be opened, and will be: ${message}`)
  })
  const shareBudget =
    settings.cosmos.share === 'partitions'
      ? divideBudget({
          consumer,
          owned: () => membership.size,
          targets: targets.all,
          onTrouble: ({ message }) => warnings(`the budget is divided as before: ${message}`)
        })
      : () => undefined
  const pipeline = new Pipeline({
    decoder,
    targetOf: targets.of,
    rejects,
    isAtomic: settings.write.atomic,
    counts,
    hasRoom: flowControl.hasRoom,
    onSettled,
    fail
  })
  const membership = new Membership({
    consumer,
    clock,
    openTarget: targets.open,
    self,
    metadataFor: (flow) => metadataFor(flow, false),
    handoverMs: settings.kafka.handoverMs,
    acceptPlanChange: settings.acceptPlanChange,
    onChange: ({ lost, gained }) => {
      flowControl.divideBy(membership.size)
      shareBudget()
      log.info({ partitions: membership.size, lost, gained }, 'partitions assigned')
    },
    onReady: (flow) => {
      shareBudget()
      pipeline.run(flow)
    },
    onTrouble: ({ message }) => warnings(`a partition could not be signed for yet: ${message}`),
    fail
  })
  const committer = new Committer({
    consumer,
    clock: workClock,
    everyMs: settings.commit.everyMs,
    everyRecords: settings.commit.everyRecords,
    flows: () => membership.flows,
    metadataFor,
    onTrouble: ({ message }) => warnings(`positions could not be committed, and will be: ${message}`)
  })
  const ends = watchEnds({ consumer, clock: workClock, flows: () => membership.flows })
  const watch = watchForStalls({
    clock: workClock,
    stallMs: settings.stallMs,
    progress: () => counts.written + counts.unchanged + counts.ignored + rejectedCount(),
    oldestOpen,
    waitingFor,
    onStall: fail
  })
  let drained: (() => void) | undefined
  let failure: Error | undefined
  /** What the start waits for. */
  let awaited: string | undefined
  let starting: Promise<void> | undefined
  /** Between the moment in which partitions may move and the one in which they have. */
  let isDividing = false

  function metadataFor({ topic }: PartitionFlow, hasLeft: boolean): string {
    return writeMetadata({ plan: targets.of(topic).fingerprint, by: self, hasLeft })
  }

  function onSettled(flow: PartitionFlow): void {
    flowControl.adjust(flow)
    committer.settled()
    if (drained !== undefined && openCount() === 0) drained()
  }

  /**
   * Whether what is sent now still is ours to send. A process that was stopped for longer than its session has lost its partitions without
   * hearing of it, and while the group is divided what is on its way has time to land before somebody else begins.
   */
  function maySend(): boolean {
    return !isDividing && clock.now() - consumer.lastHeartbeatMs < consumer.sessionTimeoutMs
  }

  /** One start, however often it is asked for. */
  function start(): Promise<void> {
    if (!isTaking()) return Promise.reject(tooLate())
    starting ??= begin()
    return starting
  }

  async function begin(): Promise<void> {
    workClock.begin()
    try {
      await checkRejects()
      await openListed()
      // somebody may have asked for the end meanwhile
      if (lifecycle.state !== 'starting') return
      awaited = 'Kafka, to let it into its group'
      await consumer.start({
        assigned: (partitions) => {
          isDividing = false
          membership.assigned(partitions)
        },
        rebalancing: () => {
          isDividing = true
          log.info({}, 'the group is being divided anew')
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
        failed: fail
      })
      lifecycle.on('started')
    } catch (error) {
      fail(error as Error)
    }
    awaited = undefined
    // what was given up because of an end that was asked for is no failure
    if (failure !== undefined) throw failure
  }

  /** Waits for a Kafka that is not there yet, as everything else does: which part of the world starts first is left to chance. */
  async function checkRejects(): Promise<void> {
    while (lifecycle.state === 'starting') {
      try {
        // oxlint-disable-next-line no-await-in-loop -- asked again
        return await rejectSink?.check()
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        warnings(`rejected records could not be copied yet: ${error.message}`)
        awaited = 'the dead letter topic'
        // oxlint-disable-next-line no-await-in-loop -- after a while
        await inTime(ended, ASK_AGAIN_MS, clock)
      }
    }
  }

  /** Whoever cannot write must not take partitions from those who can. What a pattern finds is opened when it is there. */
  async function openListed(): Promise<void> {
    const { topics } = settings.kafka
    if (!(topics instanceof RegExp)) await Promise.all(topics.map(targets.open))
  }

  async function stop(): Promise<void> {
    if (lifecycle.on('stopAsked')) void drain()
    await ended
  }

  async function drain(): Promise<void> {
    flowControl.holdAll(membership.flows)
    const isDone = await inTime(allSettled(), settings.shutdownMs, clock)
    if (!lifecycle.on('drained')) return
    await close(isDone ? SHORT_MS : 0, isDone)
    end({ state: 'stopped', error: isDone ? undefined : abandoned() })
  }

  function fail(error: Error): void {
    if (!lifecycle.on('broken')) return
    failure = error
    log.error({ code: codeOf(error) }, error.message)
    flowControl.holdAll(membership.flows)
    drained?.()
    void endWith(error)
  }

  async function endWith(error: Error): Promise<void> {
    await close(0, false)
    end({ state: 'failed', error })
  }

  /** What is settled is committed before the group is left; what is not will be read again. */
  async function close(deadlineMs: number, hasLeft: boolean): Promise<void> {
    watch.stop()
    ends.stop()
    committer.stop()
    await inTime(committer.commit(hasLeft), SHORT_MS, clock)
    membership.close()
    for (const work of [() => consumer.stop(), () => targets.close(deadlineMs), () => rejectSink?.close()]) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        await work()
      } catch (error) {
        log.warn({ code: codeOf(error) }, `while closing: ${(error as Error).message}`)
      }
    }
    decoder.close()
  }

  function isTaking(): boolean {
    return lifecycle.state === 'starting' || lifecycle.state === 'running'
  }

  function allSettled(): Promise<void> {
    return new Promise((resolve) => {
      drained = resolve
      if (openCount() === 0) resolve()
    })
  }

  function openCount(): number {
    let count = 0
    for (const flow of membership.flows) count += flow.openCount
    return count
  }

  function oldestOpen(): string | undefined {
    for (const flow of membership.flows) if (flow.oldestOpen !== undefined) return `${partitionName(flow)} at offset ${flow.oldestOpen}`
    return undefined
  }

  function waitingFor(): string | undefined {
    const group = maySend() ? undefined : 'the group of consumers'
    const waits = [targets.waitingFor, awaited, group, decoder.waitingFor, rejects.waitingFor, membership.waitingFor]
    for (const target of targets.all()) waits.push(target.waitingFor)
    return waits.find((wait) => wait !== undefined)
  }

  function rejectedCount(): number {
    let count = 0
    for (const rejected of rejects.byCode.values()) count += rejected
    return count
  }

  function abandoned(): KeystampError {
    const seconds = settings.shutdownMs / 1000
    const count = openCount()
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
        commits: committer.commits,
        commitAgeMs: clock.now() - committer.lastMs,
        waitingFor: waitingFor(),
        heartbeatAgeMs: clock.now() - consumer.lastHeartbeatMs
      })
  }
}

const SHORT_MS = 5000
const ASK_AGAIN_MS = 1000

function tooLate(): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', 'This sink has been stopped or has failed, and cannot be started again: make another one.')
}

function codeOf(error: unknown): string | undefined {
  return isKeystampError(error) ? error.code : undefined
}
