import { describe, expect, it, test } from 'vitest'
import { skipByteOrderMark, withoutByteOrderMark, withoutTextByteOrderMark } from '../../src/text/byte-order-mark.ts'

const MARK = [0xef, 0xbb, 0xbf]

describe('a byte order mark', () => {
  it('is skipped at the given position', () => {
    expect(skipByteOrderMark(Uint8Array.of(0x20, ...MARK, 0x7b), 1, 5)).toBe(4)
  })

  test.each([
    ['is incomplete at the end', Uint8Array.from(MARK), 2],
    ['differs in the last byte', Uint8Array.of(0xef, 0xbb, 0xbe, 0x7b), 4],
    ['is missing', Uint8Array.of(0x7b, 0x7d), 2]
  ])('is not skipped if it %s', (_, bytes, end) => {
    expect(skipByteOrderMark(bytes, 0, end)).toBe(0)
  })

  it('is removed from bytes without a copy', () => {
    const bytes = Uint8Array.of(...MARK, 0x7b)
    const rest = withoutByteOrderMark(bytes)
    expect([...rest]).toEqual([0x7b])
    expect(rest.buffer).toBe(bytes.buffer)
    expect(withoutByteOrderMark(rest)).toBe(rest)
  })

  it('is removed only once from a string', () => {
    expect(withoutTextByteOrderMark('\ufeff\ufeff{}')).toBe('\ufeff{}')
    expect(withoutTextByteOrderMark('{}')).toBe('{}')
  })
})
