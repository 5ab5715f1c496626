import type { ThrottledRange } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { createThrottleLog } from '../../src/write/throttle-log.ts'

const THROTTLED: ThrottledRange = {
  range: '3',
  reason: 'hot-key',
  ruPerSecond: 9900,
  limitRuPerSecond: 10_000,
  containerRuPerSecond: 12_400,
  provisionedRuPerSecond: 40_000,
  heaviestKey: { hash: '3AD5', share: 0.8412 },
  explanation: 'one key takes 84 % of the partition'
}

function open() {
  const lines: unknown[][] = []
  const state = { nowMs: 0 }
  const add = createThrottleLog({
    container: 'drives',
    log: {
      info: (facts: object, sentence: string) => lines.push(['info', facts, sentence]),
      warn: (facts: object, sentence: string) => lines.push(['warn', facts, sentence])
    },
    clock: { now: () => state.nowMs }
  })
  return { lines, state, add }
}

describe('the log of throttling', () => {
  it('has container, range, reason, hash and share of the key, and the explanation', () => {
    const { lines, add } = open()
    add(THROTTLED)

    expect(lines).toEqual([
      [
        'warn',
        { container: 'drives', range: '3', reason: 'hot-key', keyHash: '3AD5', keyShare: 0.84 },
        'throttled: one key takes 84 % of the partition'
      ]
    ])
  })

  it('has each range with each reason once a minute', () => {
    const { lines, state, add } = open()
    add(THROTTLED)
    state.nowMs = 59_999
    add(THROTTLED)
    expect(lines).toHaveLength(1)
    add({ ...THROTTLED, range: '4' })
    add({ ...THROTTLED, reason: 'many-keys-in-one-range' })
    expect(lines).toHaveLength(3)
    state.nowMs = 60_000
    add(THROTTLED)

    expect(lines).toHaveLength(4)
  })

  it('warns of an uneven load only', () => {
    const { lines, add } = open()
    add({ ...THROTTLED, reason: 'container-full', heaviestKey: undefined })
    add({ ...THROTTLED, reason: 'other-clients' })

    const levels = lines.map(([level]) => level)
    expect(levels).toEqual(['info', 'info'])
  })
})
