import { type KeystampError, toPosition } from '@keystamp/core'
import { type Commit, type Committed, type TopicPartition, writeMetadata } from '../../src/kafka/consumer-port.ts'
import { Ownership } from '../../src/partition/ownership.ts'
import type { Partitions } from '../../src/partition/partitions.ts'
import type { Target } from '../../src/write/target.ts'
import { deferred } from '../simulation/deferred.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { createPartitions } from './create-partitions.ts'

export const PLACE: TopicPartition = { topic: 'things', partition: 0 }

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
  readonly ready: number[]
  readonly commits: Commit[]
  readonly failures: string[]
  readonly troubles: string[]
  /** Offsets from which a partition is delivered again. */
  readonly fromOffset: number[]
  /** How often was asked for what the group has stored. */
  readonly asked: () => number
  /** Opens the container of the topic "things". */
  readonly open: () => void
  readonly stored: () => Committed
  /** Answers no commit until the returned function is called. */
  readonly holdCommits: () => () => void
  /** Stores this for the group. */
  readonly store: (committed: Committed) => void
  /** Takes the next question for what is stored into the hands of the test. */
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
  const ready: number[] = []
  const commits: Commit[] = []
  const failures: string[] = []
  const troubles: string[] = []
  const fromOffset: number[] = []
  let held: Promise<void> = Promise.resolve()
  const answers: Promise<readonly Committed[]>[] = []
  const metadata =
    stored === undefined
      ? ''
      : writeMetadata({ plan: stored.plan ?? 'plan-2', by: 'somebody', hasLeft: stored.hasLeft })
  let committed: Committed = {
    ...PLACE,
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
      if (!isOpen && topic === PLACE.topic) await opened
      return { fingerprint: 'plan-2', previousFingerprints: ['plan-1'] } as unknown as Target
    },
    isOpen: (topic) => isOpen || topic !== PLACE.topic,
    self: 'me',
    metadataFor: () => 'mine',
    handoverMs: 1000,
    acceptPlanChange: stored?.acceptPlanChange ?? false,
    onChange: () => undefined,
    onCommitFailed: ({ message }) => troubles.push(message),
    onClaimed: ({ partition }) => ready.push(partition),
    fail: (error) => failures.push(`${(error as KeystampError).code}: ${error.message}`)
  })
  return {
    ownership,
    partitions,
    clock,
    ready,
    commits,
    failures,
    troubles,
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
