import { describe, expect, test } from 'vitest'
import { RescanThrottle } from '../../src/array/array-stage.ts'

const CLOSING = Buffer.from('}')

describe('RescanThrottle', () => {
  test('scans a long record again only when the record has grown by a quarter', () => {
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

  test('scans a short record again at the next chunk that has a closing bracket', () => {
    const rescans = new RescanThrottle()
    rescans.wait(5000)

    expect(rescans.shouldRescan(5001, Buffer.from('abc'))).toBe(false)
    expect(rescans.shouldRescan(5002, CLOSING)).toBe(true)
  })
})
