import { describe, expect, it } from 'vitest'

import { DecodeFailure, toRejection, within } from '../../src/decode/decode-failure.ts'

describe('the conversion of a decoding error', () => {
  it('returns a rejection with the whole path of the value', () => {
    const failure = within(within(new DecodeFailure('it is too odd'), 3), 'list')

    expect(toRejection(failure, 'key', 'Avro')).toEqual({
      ok: false,
      stage: 'decode',
      code: 'DECODE_FAILED',
      message: 'The key cannot be read as Avro: it is too odd.',
      path: '/list/3'
    })
  })

  it('throws other errors again', () => {
    const mistake = new TypeError('undefined is not a function')

    expect(within(mistake, 'a')).toBe(mistake)
    expect(() => toRejection(mistake, 'value', 'JSON')).toThrow(mistake)
  })
})
