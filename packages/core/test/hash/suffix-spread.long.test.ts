import { describe, expect, it } from 'vitest'
import { murmur32 } from '../../src/hash/murmur32.ts'

const COUNT = 400
const TEXTS = 200_000

// seeded, so that the strings are the same on every run
function createDraw(): () => number {
  let state = 0x2545f491
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const draw = createDraw()
const pick = (alphabet: string): string => alphabet.charAt(Math.floor(draw() * alphabet.length))
const picked = (alphabet: string, length: number): string => Array.from({ length }, () => pick(alphabet)).join('')

const FAMILIES: [string, (index: number) => string][] = [
  [
    'vehicle identification numbers',
    (index) =>
      `1FTFW1ET${pick('0123456789X')}${pick('DEFGH')}${pick('ABCDEFGHJKLMNPR')}${String(index).padStart(6, '0')}`
  ],
  ['order numbers', (index) => `order-${String(index).padStart(6, '0')}`],
  [
    'UUIDs',
    () =>
      `${picked('0123456789abcdef', 8)}-${picked('0123456789abcdef', 4)}-4${picked('0123456789abcdef', 3)}-a${picked('0123456789abcdef', 15)}`
  ],
  ['sequential numbers', (index) => String(index)]
]

describe('a computed suffix', () => {
  it.each(FAMILIES)('spreads 200,000 %s evenly over 400 suffixes', (_what, textOf) => {
    const counts = Array.from({ length: COUNT }, () => 0)
    for (let index = 0; index < TEXTS; index++) counts[Math.floor((murmur32(textOf(index)) * COUNT) / 2 ** 32)]++

    const mean = TEXTS / COUNT
    const chiSquare = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.max(...counts) / mean).toBeLessThanOrEqual(1.2)
    expect(chiSquare / (COUNT - 1)).toBeLessThanOrEqual(1.25)
  })
})
