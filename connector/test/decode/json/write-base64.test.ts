import fc from 'fast-check'
import { expect, it } from 'vitest'

import { writeBase64 } from '../../../src/decode/json/write-base64.ts'
import { written } from './written.ts'

it('writes bytes as Buffer does, wherever they lie', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(3), (bytes, before) => {
      const all = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(2, 7)])
      const text = written((target) => writeBase64(target, all, before, before + bytes.length))
      expect(text).toBe(`"${Buffer.from(bytes).toString('base64')}"`)
    })
  )
})
