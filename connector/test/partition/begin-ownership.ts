import { type KeystampError, toPosition } from '@keystamp/core'
import { type Commit, type Committed, type TopicPartition, writeMetadata } from '../../src/kafka/consumer-port.ts'
import { Ownership } from '../../src/partition/ownership.ts'
import type { Partitions } from '../../src/partition/partitions.ts'
import type { Target } from '../../src/write/target.ts'
import { deferred } from '../simulation/deferred.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { createPartitions } from './create-partitions.ts'

export const PARTITION: TopicPartition = { topic: 'things', partition: 0 }

export const OURS: string = writeMetadata({ plan: 'plan-2', by: 'me', hasLeft: false })

interface Stored {
  readonly hasLeft: boolean
  readonly plan?: string
  readonly acceptPlanChange?: boolean
}

export interface Begun {
  readonly ownership: Ownership
  readonly partitions: Partitions
  readonly clock: VirtualClock
  readonly claimed: number[]
  readonly commits: Commit[]
  readonly failures: string[]
  readonly commitErrors: string[]
  /** Offsets from which a partition is delivered again. */
  readonly fromOffset: number[]
  /** Number of requests for the stored offsets. */
  readonly asked: () => number
  /** Opens the container of the topic "things". */
  readonly open: () => void
  readonly stored: () => Committed
  /** Answers no commit until the returned function is called. */
  readonly holdCommits: () => () => void
  /** Sets the offset that the group stores. */
  readonly store: (committed: Committed) => void
  /** Delays the next answer about the stored offsets: the test gives it. */
  readonly answer: () => {
    readonly resolve: (stored: readonly Committed[]) => void
    readonly reject: (error: Error) => void
  }
}

export function begin(
  stored: Stored | undefined,
  commit: (asked: readonly Commit[]) => readonly Commit[] | Promise<readonly Commit[]> = (asked) => asked,
  isOpenAtFirst = true,
  beforeAnswer: () => void = () => undefined
): Begun {
  let asks = 0
  let isOpen = isOpenAtFirst
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true
      resolve()
    }
  })
  const clock = new VirtualClock()
  const claimed: number[] = []
  const commits: Commit[] = []
  const failures: string[] = []
  const commitErrors: string[] = []
  const fromOffset: number[] = []
  let held: Promise<void> = Promise.resolve()
  const answers: Promise<readonly Committed[]>[] = []
  const metadata =
    stored === undefined
      ? ''
      : writeMetadata({ plan: stored.plan ?? 'plan-2', by: 'somebody', hasLeft: stored.hasLeft })
  let committed: Committed = {
    ...PARTITION,
    position: stored === undefined ? undefined : toPosition(12),
    metadata,
    initialPartitions: 4
  }
  const partitions = createPartitions({ clock, onBegun: (worker) => ownership.begun(worker) })
  const ownership = new Ownership({
    consumer: {
      commit: async (asked) => {
        commits.push(...asked)
        await held
        return commit(asked)
      },
      committed: async () => {
        asks++
        beforeAnswer()
        return (await answers.shift()) ?? [committed]
      },
      deliverFrom: (_partition, position) => fromOffset.push(position),
      lastHeartbeatMs: 0,
      sessionTimeoutMs: 1000
    },
    clock,
    partitions,
    openTarget: async (topic) => {
      if (!isOpen && topic === PARTITION.topic) await opened
      return { fingerprint: 'plan-2', previousFingerprints: ['plan-1'] } as unknown as Target
    },
    isOpen: (topic) => isOpen || topic !== PARTITION.topic,
    self: 'me',
    metadataFor: () => 'mine',
    handoverMs: 1000,
    acceptPlanChange: stored?.acceptPlanChange ?? false,
    onChange: () => undefined,
    onCommitFailed: ({ message }) => commitErrors.push(message),
    onClaimed: ({ partition }) => claimed.push(partition),
    fail: (error) => failures.push(`${(error as KeystampError).code}: ${error.message}`)
  })
  return {
    ownership,
    partitions,
    clock,
    claimed,
    commits,
    failures,
    commitErrors,
    fromOffset,
    asked: () => asks,
    open,
    stored: () => committed,
    holdCommits: () => {
      const { promise, resolve } = deferred()
      held = promise
      return resolve
    },
    store: (given) => {
      committed = given
    },
    answer: () => {
      let resolve!: (stored: readonly Committed[]) => void
      let reject!: (error: Error) => void
      answers.push(
        new Promise((kept, broken) => {
          resolve = kept
          reject = broken
        })
      )
      return { resolve, reject }
    }
  }
}
