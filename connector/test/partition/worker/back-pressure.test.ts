import { describe, expect, it } from 'vitest'
import { batchOf, recordAt } from '../records.ts'
import { begin, type Begun, decoderOf, WRITTEN } from './begin.ts'

const SHARE_BYTES = 5000

describe('back-pressure', () => {
  // checks L6
  it('pauses a partition whose memory share is used up, and no other partition', () => {
    const [full, other] = [0, 1].map((partition) => begin({ partition, shareBytes: () => SHARE_BYTES }))
    fill(full, 6)
    fill(other, 1)

    expect([full.calls, other.calls]).toEqual([['pause 0'], []])
    expect(full.counts.pauses).toBe(1)
  })

  it('resumes the partition before its last record is settled', () => {
    const begun = begin({ shareBytes: () => SHARE_BYTES })
    fill(begun, 6)
    for (const answer of begun.answers) {
      answer(WRITTEN)
      if (begun.calls.length > 1) break
    }

    expect(begun.calls).toEqual(['pause 0', 'resume 0'])
    expect(begun.worker.records.count).toBeGreaterThan(0)
  })

  it('L6 does not resume the partition while its memory share is used up', () => {
    const begun = begin({ shareBytes: () => SHARE_BYTES })
    fill(begun, 6)
    expect(begun.calls).toEqual(['pause 0'])

    // the other records still take more than 0.7 of the share
    for (const answer of begun.answers.slice(0, 2)) answer(WRITTEN)

    expect(begun.calls).toEqual(['pause 0'])
  })

  it('L6 limits the records in process by the size of their decoded documents', () => {
    const json = Buffer.alloc(100_000)
    const { worker, submitted } = begin({
      shareBytes: () => SHARE_BYTES,
      decoder: decoderOf((offset) => (offset === 0 ? { ok: true, json, key: null } : undefined))
    })
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))

    expect(submitted).toEqual([0])
  })

  // checks L10
  it('resumes nothing after all partitions were stopped', () => {
    const [full, other] = [0, 1].map((partition) => begin({ partition, shareBytes: () => SHARE_BYTES }))
    fill(full, 6)
    fill(other, 1)
    for (const { worker, answers } of [full, other]) {
      worker.stop()
      for (const answer of answers) answer(WRITTEN)
    }

    expect([full.calls, other.calls]).toEqual([['pause 0'], ['pause 1']])
    expect(full.worker.records.bytes).toBeLessThan(0.7 * SHARE_BYTES)
  })

  it('takes no records after all partitions were stopped', () => {
    const { worker } = begin()
    worker.stop()

    expect(worker.take(batchOf([recordAt(0)], 0))).toBe(0)
    expect(worker.records.count).toBe(0)
  })
})

function fill({ worker }: Begun, count: number): void {
  worker.take(
    batchOf(
      Array.from({ length: count }, (_, offset) => recordAt(offset, 'x'.repeat(500))),
      0
    )
  )
}
