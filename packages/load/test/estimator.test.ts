import { createPlan, rangesOf } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createEstimator } from '../src/estimator.ts'

const DEFINITION = { paths: ['/key'], kind: 'Hash', version: 2 } as const

describe('createEstimator', () => {
  it('returns a usable share of 0.25 for a single key in four ranges', () => {
    const { usableShare, keys, ranges } = estimate(Array.from({ length: 50 }, () => ({ device: 'a' })))

    expect({ usableShare, keys }).toEqual({ usableShare: 0.25, keys: 1 })
    expect(ranges[0].share).toBe(1)
  })

  it('returns a usable share of nearly 1 for many keys', () => {
    expect(estimate(Array.from({ length: 4000 }, (_, device) => ({ device }))).usableShare).toBeGreaterThan(0.9)
  })

  it('computes the charge of a record from its size and its number of values, as in the published table', () => {
    const { ruPerRecord, bytesPerRecord } = estimate([{ device: 'a', text: 'x'.repeat(4096 - 60), b: { c: [1, 2] } }])

    expect(bytesPerRecord).toBeGreaterThan(4070)
    expect(bytesPerRecord).toBeLessThan(4100)
    expect(ruPerRecord).toBeCloseTo(6.67 + 0.2 * 5, 1)
  })

  it('computes higher charges for larger records, also outside of the published table', () => {
    const prices = [1, 100, 900, 3000].map((kb) => estimate([{ device: 'a', text: 'x'.repeat(kb * 1024) }]).ruPerRecord)

    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  })

  it('counts rejected records by code', () => {
    const estimator = createEstimator(DEFINITION, rangesOf(4))
    for (const code of ['A', 'B', 'A']) estimator.reject(code)

    expect(estimator.result()).toMatchObject({ records: 0, rejected: { A: 2, B: 1 }, usableShare: 0 })
  })
})

function estimate(records: readonly object[]) {
  const plan = createPlan({ into: '/key', from: [{ field: '/device' }] })
  const estimator = createEstimator(DEFINITION, rangesOf(4))
  for (const record of records) {
    const stamped = plan.stampBytes(Buffer.from(JSON.stringify(record)))
    if (!stamped.ok) throw new Error(stamped.message)
    estimator.add(stamped)
  }
  return estimator.result()
}
