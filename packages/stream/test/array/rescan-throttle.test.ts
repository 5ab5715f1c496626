import { describe, expect, test } from 'vitest'
import { RescanThrottle } from '../../src/array/array-stage.ts'

const CLOSING = Buffer.from('}')

describe('RescanThrottle', () => {
  test('tries a growing record about as often as its length has digits', () => {
    const rescans = new RescanThrottle()
    let tries = 0

    for (let length = 1000; length < 50_000_000; length += 1000) {
      if (!rescans.shouldRescan(length, CLOSING)) continue
      tries++
      rescans.wait(length)
    }

    expect(tries).toBeGreaterThan(64)
    expect(tries).toBeLessThan(64 + 40)
  })

  test('does not hold back a short record that may just have been completed', () => {
    const rescans = new RescanThrottle()
    rescans.wait(5000)

    expect(rescans.shouldRescan(5001, Buffer.from('abc'))).toBe(false)
    expect(rescans.shouldRescan(5002, CLOSING)).toBe(true)
  })
})
