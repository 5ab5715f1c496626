import { describe, expect, it } from 'vitest'
import { OpenWindow } from '../../src/offsets/settled-prefix.ts'

describe('OpenWindow', () => {
  // checks L6
  it('uses memory only for open positions, and not for all positions since the oldest', () => {
    const window = new OpenWindow(0)
    window.push(0)
    for (let position = 1; position < 100_000; position++) {
      window.push(position)
      if (position % 1000 !== 0) window.remove(position)
    }

    expect(window.count).toBe(100)
    expect(window.capacity).toBeLessThanOrEqual(512)
  })

  it('returns the committable position before each open position after other positions were removed', () => {
    const window = new OpenWindow(0)
    for (let position = 0; position < 1000; position += 10) window.push(position)
    for (let position = 0; position < 1000; position += 20) window.remove(position)
    for (let position = 1000; position < 2000; position += 10) window.push(position)

    for (let position = 10; position < 1000; position += 20) {
      expect([window.oldest, window.oldestPrevious]).toEqual([position, position - 9])
      window.remove(position)
    }
    expect(window.oldest).toBe(1000)
  })

  it('finds positions after it has been compacted', () => {
    const window = new OpenWindow(0)
    for (let position = 0; position < 10_000; position++) {
      window.push(position * 3)
      if (position % 7 !== 0) window.remove(position * 3)
    }

    for (let position = 0; position < 10_000; position++) expect(window.remove(position * 3)).toBe(position % 7 === 0)
    expect(window.count).toBe(0)
  })
})
