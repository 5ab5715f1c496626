import { toPosition } from '@keystamp/core'
import type { Fence, LateRequest } from '@keystamp/cosmos'
import type { SinkSettings } from '../../src/config/settings.ts'
import { assembleSink } from '../../src/sink.ts'
import {
  type Commit,
  type Committed,
  type Consumer,
  type ConsumerListener,
  partitionName,
  readMetadata
} from '../../src/kafka/consumer-port.ts'
import type { Wait } from '../../src/lifecycle/waits.ts'
import type { DeadLetterWriter } from '../../src/dead-letter/dead-letter-writer.ts'
import type { Sink } from '../../src/sink.ts'
import type { Target } from '../../src/write/target.ts'
import { batchOf, recordAt } from '../partition/records.ts'
import { SIMULATED_SETTINGS } from './run-simulation.ts'
import { VirtualClock } from './virtual-clock.ts'

/** A sink that owns one partition, with dependencies that the test controls. */
export interface One {
  readonly sink: Sink
  readonly clock: VirtualClock
  /** Delivers the records from one offset up to another. */
  readonly deliver: (from: number, to: number) => void
  /**
   * One function for each submitted write. Without an argument, it reports the write as written; with an error, it
   * reports that the writer has stopped.
   */
  readonly answers: ((error?: Error) => void)[]
  /** Fence of each of these writes: a write is withdrawn when its partition is lost. */
  readonly fences: readonly Fence[]
  readonly commits: readonly Commit[]
  /** Delays the next answer about the stored offset: the test gives it. */
  readonly ask: () => (stored: Committed) => void
  /** Last committed offset. */
  readonly committed: () => { readonly position: number; readonly hasLeft: boolean | undefined } | undefined
  /** `isSilent` ends the heartbeats. */
  readonly live: { isSilent: boolean }
  /** The partitions that were paused, in order. */
  readonly paused: readonly string[]
  readonly maySend: () => boolean
  /** Reports a late request, as the container does. */
  readonly onLate: (late: LateRequest) => void
  readonly listener: () => ConsumerListener
  /** Current wait of the container; tests set it. */
  readonly waits: Wait[]
  /** Lines of the log, each with its level. */
  readonly lines: readonly string[]
}

interface OneOptions {
  /** Error of Cosmos DB when the container is opened. */
  readonly refusal?: Error
  readonly onJoin?: () => void
  /** Called when the sink leaves its group; it has left when the promise resolves. */
  readonly onLeave?: () => Promise<void>
  readonly rejects?: DeadLetterWriter
  /** Called before each commit is stored; nothing is stored if it throws. */
  readonly onCommit?: () => void
  /** Default: 5 s. */
  readonly shutdownMs?: number
}

export async function startOne(options?: OneOptions): Promise<One> {
  const one = createOne(options)
  await one.sink.start()
  await one.clock.runUntil(1)
  return one
}

/** Creates the same sink without starting it. */
export function createOne({ refusal, onJoin, onLeave, rejects, onCommit, shutdownMs = 5000 }: OneOptions = {}): One {
  const clock = new VirtualClock()
  const answers: One['answers'] = []
  const commits: Commit[] = []
  const fences: Fence[] = []
  const asked: Promise<readonly Committed[]>[] = []
  const live = { isSilent: false }
  const paused: string[] = []
  const waits: Wait[] = []
  const lines: string[] = []
  let listener!: ConsumerListener
  let maySend!: () => boolean
  let onLate!: One['onLate']
  const target: Partial<Target> = {
    container: 'things',
    fingerprint: 'plan-1',
    previousFingerprints: [],
    map: () => ({ kind: 'delete', id: 'x', key: 'x' }),
    submit: (_operation, fence, settle) => {
      fences.push(fence)
      answers.push((error) =>
        settle(error ?? { kind: 'written', status: 200, chargeRu: 1, etag: undefined, isSuperseded: false })
      )
    },
    waits,
    stats: () => ({}) as never,
    close: async () => {
      // a writer that is closed waits for nothing
      waits.length = 0
    }
  }
  const consumer: Consumer = {
    start: (given) => {
      onJoin?.()
      listener = given
      listener.assigned([{ topic: 'things', partition: 0 }])
      return Promise.resolve()
    },
    pause: (topicPartitions) => paused.push(...topicPartitions.map(partitionName)),
    resume: () => undefined,
    deliverFrom: () => undefined,
    resumeDelayMs: 0,
    sessionTimeoutMs: 1000,
    get lastHeartbeatMs() {
      return live.isSilent ? 0 : clock.now()
    },
    commit: async (given) => {
      onCommit?.()
      commits.push(...given)
      return given
    },
    committed: () =>
      asked.shift() ??
      Promise.resolve([commits.at(-1) ?? { topic: 'things', partition: 0, position: toPosition(0), metadata: '' }]),
    countPartitions: () => Promise.resolve(1),
    ends: () => Promise.resolve(new Map()),
    stop: onLeave ?? (() => Promise.resolve())
  }
  const sink = assembleSink({ ...SIMULATED_SETTINGS, shutdownMs } as unknown as SinkSettings, {
    clock,
    log: {
      info: (_facts, sentence) => lines.push(`info ${sentence}`),
      warn: (_facts, sentence) => lines.push(`warn ${sentence}`),
      error: (_facts, sentence) => lines.push(`error ${sentence}`)
    },
    createConsumer: () => consumer,
    createDecoder: () => ({
      decode: ({ value, key }) => ({ ok: true, json: value ?? undefined, key }),
      waitingFor: undefined,
      close: () => undefined
    }),
    createDeadLetterWriter: () => rejects,
    createTolerance: () => undefined,
    openTarget: (_container, given, _onStopped, late) => {
      maySend = given
      onLate = late
      return refusal === undefined ? Promise.resolve(target as Target) : Promise.reject(refusal)
    }
  })
  return {
    sink,
    clock,
    deliver: (from, to) =>
      void listener.received(
        batchOf(
          Array.from({ length: to - from }, (_, index) => recordAt(from + index)),
          from
        )
      ),
    answers,
    fences,
    commits,
    ask: () => {
      let answer!: (stored: Committed) => void
      asked.push(
        new Promise((resolve) => {
          answer = (stored) => resolve([stored])
        })
      )
      return answer
    },
    committed: () => {
      const last = commits.at(-1)
      return last && { position: last.position, hasLeft: readMetadata(last.metadata)?.hasLeft }
    },
    live,
    paused,
    maySend: () => maySend(),
    onLate: (late) => onLate(late),
    listener: () => listener,
    waits,
    lines
  }
}
