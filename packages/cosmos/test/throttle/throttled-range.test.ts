import { describe, expect, it } from 'vitest'
import { explainThrottling, type MeasuredRange } from '../../src/throttle/throttled-range.ts'

const MEASURED: MeasuredRange = {
  range: '3',
  fraction: 0.25,
  ruPerSecond: 9900,
  containerRuPerSecond: 12_400,
  provisionedRuPerSecond: 40_000,
  heaviestKey: { hash: '3AD5C0FFEE000000', share: 0.84 }
}

const explain = (changes: Partial<MeasuredRange>): string | undefined => {
  const found = explainThrottling({ ...MEASURED, ...changes })
  return found === undefined ? undefined : `${found.reason}: ${found.explanation}`
}

describe('explainThrottling', () => {
  it('names a hot key, with the use of the physical partition and of the container', () => {
    expect(explain({})).toBe(
      'hot-key: this writer uses 99 % of the 10,000 RU/s of physical partition 3, and 31 % of the container: one key takes 84 % of the partition (hash 3AD5C0FF...)'
    )
  })

  it('names many keys in one range if no key takes half of the limit', () => {
    expect(explain({ heaviestKey: { hash: '3AD5', share: 0.04 } })).toBe(
      'many-keys-in-one-range: this writer uses 99 % of the 10,000 RU/s of physical partition 3, and 31 % of the container: many keys share the partition, and none takes more than 4 % of it'
    )
  })

  it('names a full container if the load is even', () => {
    expect(explain({ containerRuPerSecond: 39_000 })).toMatch(
      /^container-full: .* and 98 % of the container: the load is even/
    )
  })

  it('names other clients if the writer uses less than half of the limit', () => {
    expect(explain({ ruPerSecond: 4900 })).toMatch(
      /^other-clients: this writer uses 49 % of the 10,000 RU\/s .*: other clients use the rest of the partition$/
    )
    expect(explain({ ruPerSecond: 5100 })).toMatch(/^hot-key/)
  })

  it('explains without limits if the throughput is unknown', () => {
    expect(explain({ provisionedRuPerSecond: undefined })).toBe(
      'hot-key: physical partition 3 gets 80 % of the RU of this writer: one key takes 84 % of the partition (hash 3AD5C0FF...)'
    )
  })

  it('names no cause of an uneven load if too few operations were seen', () => {
    expect(explain({ heaviestKey: undefined })).toBeUndefined()
    expect(explain({ heaviestKey: undefined, containerRuPerSecond: 39_000 })).toMatch(/^container-full/)
  })

  it('names a full container if there is one physical partition only', () => {
    expect(explain({ fraction: 1, ruPerSecond: 39_000, containerRuPerSecond: 39_000 })).toMatch(/^container-full/)
  })

  it('never prints more than 100 %', () => {
    expect(explain({ ruPerSecond: 11_000 })).toContain('uses 100 % of the 10,000 RU/s')
  })
})
