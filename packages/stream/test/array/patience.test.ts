import { describe, expect, test } from 'vitest'
import { Patience } from '../../src/array/patience.ts'

const CLOSING = Buffer.from('}')

describe('Patience', () => {
  test('tries a growing record about as often as its length has digits', () => {
    const patience = new Patience()
    let tries = 0

    for (let length = 1000; length < 50_000_000; length += 1000) {
      if (!patience.isWorthTrying(length, CLOSING)) continue
      tries++
      patience.wait(length)
    }

    expect(tries).toBeGreaterThan(64)
    expect(tries).toBeLessThan(64 + 40)
  })

  test('does not hold back a short record that may just have been completed', () => {
    const patience = new Patience()
    patience.wait(5000)

    expect(patience.isWorthTrying(5001, Buffer.from('abc'))).toBe(false)
    expect(patience.isWorthTrying(5002, CLOSING)).toBe(true)
  })
})
