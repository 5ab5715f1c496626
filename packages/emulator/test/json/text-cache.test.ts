import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextCache } from '../../src/json/text-cache.ts'

it('a cache of strings gives the value of each string, also when strings replace each other', () => {
  const cache = new TextCache((text) => `<${text}>`)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
    fc.nat(5000).map((n) => `"key-${n}"`)
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 400 }), (texts) => {
      const bytes = Buffer.from(texts.join(''))
      let at = 0
      for (const each of texts) {
        expect(cache.read(bytes, at, at + each.length)).toBe(`<${each}>`)
        at += each.length
      }
    })
  )
})
