import type { Operation, Outcome } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import type { Decoder } from '../src/decode/decoder.ts'
import { PartitionFlow } from '../src/offsets/partition-flow.ts'
import { Pipeline, type PipelineCounts, type PipelineOptions } from '../src/pipeline.ts'
import { recordBytes } from '../src/record.ts'
import { createRejectDesk } from '../src/rejects/reject-desk.ts'
import type { SinkRejection } from '../src/rejects/sink-codes.ts'
import type { Answer, Target } from '../src/write/target.ts'
import { batchOf, recordAt } from './offsets/records.ts'
import { deferred } from './simulation/deferred.ts'
import { turn } from './simulation/virtual-clock.ts'

const WRITTEN: Outcome = { kind: 'written', status: 201, chargeRu: 6, etag: undefined, isSuperseded: false }
const RECORD_BYTES = recordBytes(recordAt(0))
const REJECTION: SinkRejection = { ok: false, stage: 'decode', code: 'DECODE_FAILED', message: 'It is no JSON.', path: '' }

describe('the path of a record', () => {
  it('settles it with the outcome of its write', () => {
    const { pipeline, flow, answers, counts } = begin()
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1)], 0))
    expect(flow.openCount).toBe(2)

    for (const answer of answers) answer(WRITTEN)

    expect(flow.openCount).toBe(0)
    expect(counts).toMatchObject({ received: 2, written: 2 })
  })

  it('recognises what is delivered again, and does not write it twice', () => {
    const { pipeline, flow, answers, counts } = begin()
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1)], 0))

    const next = pipeline.take(flow, batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))

    expect(next).toBe(3)
    expect(answers).toHaveLength(3)
    expect(counts.skipped).toBe(2)
  })

  it('asks to go back where records were passed over', () => {
    const { pipeline, flow, answers } = begin()
    pipeline.take(flow, batchOf([recordAt(0)], 0))

    expect(pipeline.take(flow, batchOf([recordAt(5)], 5))).toBe(1)
    expect(answers).toHaveLength(1)
  })

  it('keeps the order of a partition while one record waits for its schema', async () => {
    const slow = deferred()
    const decoder = decoderOf((offset) =>
      offset === 1 ? slow.promise.then(() => ({ ok: true, json: undefined, key: null }) as const) : undefined
    )
    const { pipeline, flow, submitted } = begin({ decoder })
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))
    expect(submitted).toEqual([0])

    slow.resolve()
    await turn()

    expect(submitted).toEqual([0, 1, 2])
  })

  it('works on nothing before the partition is ready, but opens it', () => {
    const { pipeline, flow, submitted } = begin()
    flow.isReady = false
    pipeline.take(flow, batchOf([recordAt(0)], 0))
    expect(flow.openCount).toBe(1)
    expect(submitted).toEqual([])

    flow.isReady = true
    pipeline.run(flow)

    expect(submitted).toEqual([0])
  })

  it('settles nothing of a partition that was lost meanwhile', () => {
    const { pipeline, flow, answers, failures } = begin()
    pipeline.take(flow, batchOf([recordAt(0)], 0))
    flow.lose()
    answers[0](WRITTEN)
    answers[0](new Error('fenced'))

    expect(flow.committable).toBe(0)
    expect(failures).toEqual([])
  })

  it('stops the work when a write cannot have an outcome any more, and leaves the record open', () => {
    const { pipeline, flow, answers, failures } = begin()
    pipeline.take(flow, batchOf([recordAt(0)], 0))
    answers[0](new Error('The container is gone.'))

    expect(failures).toEqual(['The container is gone.'])
    expect(flow.openCount).toBe(1)
  })

  it('counts what there is nothing to do for', () => {
    const { pipeline, flow, counts } = begin({ shape: () => 'ignore' })
    pipeline.take(flow, batchOf([recordAt(0, null)], 0))

    expect(flow.openCount).toBe(0)
    expect(counts.ignored).toBe(1)
  })

  it('takes a record that cannot be read to the rejects, and goes on', () => {
    const { pipeline, flow, counts, desk, answers } = begin({ decoder: decoderOf((offset) => (offset === 0 ? REJECTION : undefined)) })
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1)], 0))
    answers[0](WRITTEN)

    expect(flow.committable).toBe(2)
    expect([...desk.byCode]).toEqual([['DECODE_FAILED', 1]])
    expect(counts.written).toBe(1)
  })

  it('takes a record that Cosmos DB refuses to the rejects', () => {
    const { pipeline, flow, desk, answers } = begin()
    pipeline.take(flow, batchOf([recordAt(0)], 0))
    answers[0]({
      kind: 'rejected',
      code: 'DOCUMENT_TOO_LARGE',
      message: 'Too large.',
      status: 413,
      subStatus: 0,
      chargeRu: 0,
      path: undefined
    })

    expect([...desk.byCode]).toEqual([['DOCUMENT_TOO_LARGE', 1]])
    expect(flow.openCount).toBe(0)
  })
})

describe('the room of a partition', () => {
  it('is not gone beyond, whatever a fetch has brought, and filled again once a whole answer was heard', async () => {
    const { pipeline, flow, submitted, answers } = begin({ hasRoom: ({ workBytes }) => workBytes < 4 * RECORD_BYTES })
    pipeline.take(
      flow,
      batchOf(
        Array.from({ length: 10 }, (_, offset) => recordAt(offset)),
        0
      )
    )
    expect(submitted).toEqual([0, 1, 2, 3])

    answers[1](WRITTEN)
    answers[0](WRITTEN)
    expect(submitted).toEqual([0, 1, 2, 3])
    await turn()

    expect(submitted).toEqual([0, 1, 2, 3, 4, 5])
    expect(flow.openCount).toBe(8)
  })

  it('counts what decoding has made of a record, and no document twice that is the value itself', () => {
    const text = Buffer.from('{"a":1}')
    const made = Buffer.from('{"made":"of it"}')
    const within = begin({ decoder: decoderOf((offset) => ({ ok: true, json: offset === 0 ? made : text.subarray(1), key: null })) })
    within.pipeline.take(
      within.flow,
      batchOf(
        [
          { ...recordAt(0), value: text },
          { ...recordAt(1), value: text }
        ],
        0
      )
    )
    const { flow, answers } = within

    expect(flow.workBytes - flow.openBytes).toBe(made.length)
    answers[0](WRITTEN)
    answers[1](WRITTEN)
    expect({ work: flow.workBytes, open: flow.openBytes }).toEqual({ work: 0, open: 0 })
  })

  it('does not cut an atomic batch', () => {
    const { pipeline, flow, groups } = begin({ isAtomic: true, hasRoom: ({ workBytes }) => workBytes === 0 })
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))

    expect(groups.map(({ offsets }) => offsets)).toEqual([[0, 1, 2]])
  })

  it('is not asked for on behalf of a partition that was lost', async () => {
    const { pipeline, flow, submitted, answers } = begin({ hasRoom: ({ workBytes }) => workBytes === 0 })
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1)], 0))
    answers[0](WRITTEN)
    flow.lose()
    await turn()

    expect(submitted).toEqual([0])
  })
})

describe('the tolerance', () => {
  it.each(['copy', 'skip'] as const)('hears of each record once, whatever becomes of it, where the policy is %s', async (policy) => {
    const heard: string[] = []
    const tolerance = { rejected: () => heard.push('rejected'), passed: () => heard.push('passed'), exceeded: () => undefined }
    const sink = { send: async () => {}, check: async () => {}, waitingFor: undefined, close: async () => {} }
    const { pipeline, flow, answers } = begin({
      decoder: decoderOf((offset) => (offset === 0 ? REJECTION : undefined)),
      rejects: createRejectDesk({ policy, sink, tolerance })
    })
    pipeline.take(flow, batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))
    answers[0]({ kind: 'rejected', code: 'ALREADY_EXISTS', message: '', status: 409, subStatus: 0, chargeRu: 0, path: undefined })
    answers[1](WRITTEN)
    await turn()

    expect(flow.openCount).toBe(0)
    expect(heard).toEqual(['rejected', 'rejected', 'passed'])
  })
})

describe('atomic batches', () => {
  it('hold consecutive records of one key, and each gets its outcome', () => {
    const { pipeline, flow, groups, submitted, answers } = begin({ isAtomic: true })
    const keys = ['a', 'a', 'b', 'a']
    pipeline.take(
      flow,
      batchOf(
        keys.map((key, offset) => recordAt(offset, '{}', key)),
        0
      )
    )
    expect(groups.map(({ offsets }) => offsets)).toEqual([[0, 1]])
    expect(submitted).toEqual([2, 3])

    for (const { offsets, answer } of groups) answer(offsets.map(() => WRITTEN))
    for (const answer of answers) answer(WRITTEN)

    expect(flow.committable).toBe(4)
  })

  it('are no larger than Cosmos DB takes', () => {
    const { pipeline, flow, groups } = begin({ isAtomic: true })
    pipeline.take(
      flow,
      batchOf(
        Array.from({ length: 150 }, (_, offset) => recordAt(offset)),
        0
      )
    )

    expect(groups.map(({ offsets }) => offsets.length)).toEqual([100, 50])
  })
})

interface Group {
  readonly offsets: readonly number[]
  readonly answer: (answers: readonly Answer[]) => void
}

interface Begun {
  readonly pipeline: Pipeline
  readonly flow: PartitionFlow
  readonly counts: PipelineCounts
  readonly desk: ReturnType<typeof createRejectDesk>
  readonly answers: ((answer: Answer) => void)[]
  readonly submitted: number[]
  readonly groups: Group[]
  readonly failures: string[]
}

function begin(changes: Partial<PipelineOptions> & { readonly shape?: Target['shape'] } = {}): Begun {
  const counts: PipelineCounts = { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, skipped: 0 }
  const desk = createRejectDesk({ policy: 'skip', sink: undefined, tolerance: undefined })
  const answers: ((answer: Answer) => void)[] = []
  const submitted: number[] = []
  const groups: Group[] = []
  const failures: string[] = []
  const target: Partial<Target> = {
    shape: changes.shape ?? (({ offset, key }): Operation => ({ kind: 'delete', id: String(offset), key: Buffer.from(key!).toString() })),
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
    fail: ({ message }) => failures.push(message),
    ...changes
  })
  const flow = new PartitionFlow({ topic: 'things', partition: 0 })
  flow.isReady = true
  return { pipeline, flow, counts, desk, answers, submitted, groups, failures }
}

function decoderOf(exception: (offset: number) => ReturnType<Decoder['decode']> | undefined): Decoder {
  return {
    decode: (record) => exception(record.offset) ?? { ok: true, json: record.value ?? undefined, key: record.key },
    waitingFor: undefined,
    close: () => undefined
  }
}
