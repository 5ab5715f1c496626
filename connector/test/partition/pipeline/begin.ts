import type { Operation, Outcome } from '@keystamp/cosmos'
import type { Decoder } from '../../../src/decode/decoder.ts'
import { PartitionFlow } from '../../../src/partition/partition-flow.ts'
import { Pipeline, type PipelineCounts, type PipelineOptions } from '../../../src/partition/pipeline.ts'
import { createRejectionHandler } from '../../../src/dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../../../src/dead-letter/sink-codes.ts'
import type { Answer, Target } from '../../../src/write/target.ts'

export const WRITTEN: Outcome = { kind: 'written', status: 201, chargeRu: 6, etag: undefined, isSuperseded: false }
export const UNREADABLE: SinkRejection = { ok: false, stage: 'decode', code: 'DECODE_FAILED', message: 'It is no JSON.', path: '' }

interface Group {
  readonly offsets: readonly number[]
  readonly answer: (answers: readonly Answer[]) => void
}

/** A pipeline of one partition, and everything round it in the hands of a test. */
export interface Begun {
  readonly pipeline: Pipeline
  readonly flow: PartitionFlow
  readonly counts: PipelineCounts
  readonly desk: ReturnType<typeof createRejectionHandler>
  readonly answers: ((answer: Answer) => void)[]
  readonly submitted: number[]
  readonly groups: Group[]
  readonly failures: string[]
}

export function begin(changes: Partial<PipelineOptions> & { readonly map?: Target['map'] } = {}): Begun {
  const counts: PipelineCounts = { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, redelivered: 0 }
  const desk = createRejectionHandler({ policy: 'skip', sink: undefined, tolerance: undefined })
  const answers: ((answer: Answer) => void)[] = []
  const submitted: number[] = []
  const groups: Group[] = []
  const failures: string[] = []
  const target: Partial<Target> = {
    map: changes.map ?? (({ offset, key }): Operation => ({ kind: 'delete', id: String(offset), key: Buffer.from(key!).toString() })),
    submit: (operation, _fence, settle) => {
      submitted.push(Number((operation as { id: string }).id))
      answers.push(settle)
    },
    submitAtomic: (operations, _fence, answer) => {
      groups.push({ offsets: operations.map((operation) => Number((operation as { id: string }).id)), answer })
    }
  }
  const pipeline = new Pipeline({
    decoder: decoderOf(() => undefined),
    targetOf: () => target as Target,
    rejects: desk,
    isAtomic: false,
    counts,
    hasRoom: () => true,
    onSettled: () => undefined,
    onRefused: () => undefined,
    fail: ({ message }) => failures.push(message),
    ...changes
  })
  const flow = new PartitionFlow({ topic: 'things', partition: 0 })
  flow.isReady = true
  return { pipeline, flow, counts, desk, answers, submitted, groups, failures }
}

/** Takes values as documents, but where an offset is answered otherwise. */
export function decoderOf(exception: (offset: number) => ReturnType<Decoder['decode']> | undefined): Decoder {
  return {
    decode: (record) => exception(record.offset) ?? { ok: true, json: record.value ?? undefined, key: record.key },
    waitingFor: undefined,
    close: () => undefined
  }
}
