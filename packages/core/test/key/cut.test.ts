import { describe, expect, it } from 'vitest'
import { cutKey, looksCut } from '../../src/key/level.ts'

describe('a key that was cut', () => {
  it.each(['\u00E9', '\u20AC', '\u{1F600}'])(
    'L11 is recognized as cut if the cut is before the character %s',
    (wide) => {
      for (let more = 0; more < 4; more++) {
        const cut = cutKey('a'.repeat(2010 + more) + wide.repeat(100), 2048)
        expect(looksCut(cut, 2048)).toBe(true)
      }
    }
  )
})
