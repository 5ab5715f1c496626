import { describe, expect, it } from 'vitest'
import { recordBytes } from '../../../src/record.ts'
import { batchOf, recordAt } from '../records.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { begin, decoderOf, WRITTEN } from './begin.ts'

const RECORD_BYTES = recordBytes(recordAt(0))

describe('the share of memory of a partition', () => {
  it('is not exceeded by a large fetch, and is used again once a whole batch was settled', async () => {
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
