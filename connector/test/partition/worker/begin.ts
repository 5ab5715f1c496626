import { toPosition } from '@keystamp/core'
import type { Operation, Outcome } from '@keystamp/cosmos'
import type { Decoder } from '../../../src/decode/decoder.ts'
import { PartitionWorker, type WorkerOptions } from '../../../src/partition/partition-worker.ts'
import { createRecordCounts, type RecordCounts } from '../../../src/partition/record-counts.ts'
import { createRejectionHandler } from '../../../src/dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../../../src/dead-letter/sink-codes.ts'
import type { Answer, Target } from '../../../src/write/target.ts'

export const WRITTEN: Outcome = { kind: 'written', status: 201, chargeRu: 6, etag: undefined, isSuperseded: false }
export const UNREADABLE: SinkRejection = {
  ok: false,
  stage: 'decode',
  code: 'DECODE_FAILED',
  message: 'It is no JSON.',
  path: ''
}

interface Group {
  readonly offsets: readonly number[]
  readonly answer: (answers: readonly Answer[]) => void
}

type Changes = Partial<WorkerOptions> & {
  readonly map?: Target['map']
  readonly topic?: string
  readonly partition?: number
}

/** A worker of one partition, with dependencies that the test controls. */
export interface Begun {
  readonly worker: PartitionWorker
  readonly counts: RecordCounts
  readonly fixture: ReturnType<typeof createRejectionHandler>
  readonly answers: ((answer: Answer) => void)[]
  readonly submitted: number[]
  readonly groups: Group[]
  readonly failures: string[]
  /** Calls of `pause` and `resume`, each with the number of the partition. */
  readonly calls: string[]
}

/** A worker that has begun at offset 0, and is claimed. */
export function begin(changes: Changes = {}): Begun {
  const begun = create(changes)
  begun.worker.beginAt(toPosition(0))
  begun.worker.claimed()
  return begun
}

/** A worker without an offset. */
export function create({ map, topic = 'things', partition = 0, ...changes }: Changes = {}): Begun {
  const counts = createRecordCounts()
  const fixture = createRejectionHandler({ policy: 'skip', writer: undefined, tolerance: undefined })
  const answers: ((answer: Answer) => void)[] = []
  const submitted: number[] = []
  const groups: Group[] = []
  const failures: string[] = []
  const calls: string[] = []
  const target: Partial<Target> = {
    map:
      map ??
      (({ offset, key }): Operation => ({ kind: 'delete', id: String(offset), key: Buffer.from(key!).toString() })),
    submit: (operation, _fence, settle) => {
      submitted.push(Number((operation as { id: string }).id))
      answers.push(settle)
    },
    submitAtomic: (operations, _fence, answer) => {
      groups.push({ offsets: operations.map((operation) => Number((operation as { id: string }).id)), answer })
    }
  }
  const worker = new PartitionWorker(
    { topic, partition },
    {
      consumer: {
        pause: (paused) => calls.push(`pause ${paused.map((one) => one.partition).join()}`),
        resume: (resumed) => calls.push(`resume ${resumed.map((one) => one.partition).join()}`)
      },
      decoder: decoderOf(() => undefined),
      targetOf: () => target as Target,
      rejects: fixture,
      isAtomic: false,
      counts,
      shareBytes: () => Number.POSITIVE_INFINITY,
      onBegun: () => undefined,
      onSettled: () => undefined,
      onRefused: () => undefined,
      fail: ({ message }) => failures.push(message),
      ...changes
    }
  )
  return { worker, counts, fixture, answers, submitted, groups, failures, calls }
}

/** Decoder that returns the value as the document, unless `exception` gives another result for the offset. */
export function decoderOf(exception: (offset: number) => ReturnType<Decoder['decode']> | undefined): Decoder {
  return {
    decode: (record) => exception(record.offset) ?? { ok: true, json: record.value ?? undefined, key: record.key },
    waitingFor: undefined,
    close: () => undefined
  }
}
