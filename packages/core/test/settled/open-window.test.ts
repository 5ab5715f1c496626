import { describe, expect, it } from 'vitest'
import { createOpenWindow } from '../../src/settled/open-window.ts'

describe('createOpenWindow', () => {
  it('keeps room for open positions only, not for all that passed since the oldest', () => {
    const window = createOpenWindow()
    window.push(0, 0)
    for (let position = 1; position < 100_000; position++) {
      window.push(position, position)
      if (position % 1000 !== 0) window.remove(position)
    }

    expect(window.count).toBe(100)
    expect(window.capacity).toBeLessThanOrEqual(512)
  })

  it('finds positions again after those between them were squeezed out', () => {
    const window = createOpenWindow()
    for (let position = 0; position < 10_000; position++) {
      window.push(position * 3, 0)
      if (position % 7 !== 0) window.remove(position * 3)
    }

    for (let position = 0; position < 10_000; position++) expect(window.remove(position * 3)).toBe(position % 7 === 0)
    expect(window.count).toBe(0)
  })
})
