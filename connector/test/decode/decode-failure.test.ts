import { describe, expect, it } from 'vitest'

import { DecodeFailure, toRejection, within } from '../../src/decode/decode-failure.ts'

describe('a failure to read', () => {
  it('becomes an outcome with the whole path', () => {
    const failure = within(within(new DecodeFailure('it is too odd'), 3), 'list')

    expect(toRejection(failure, 'key', 'Avro')).toEqual({
      ok: false,
      stage: 'decode',
      code: 'DECODE_FAILED',
      message: 'The key cannot be read as Avro: it is too odd.',
      path: '/list/3'
    })
  })

  it('does not hide other errors: they are thrown again', () => {
    const mistake = new TypeError('undefined is not a function')

    expect(within(mistake, 'a')).toBe(mistake)
    expect(() => toRejection(mistake, 'value', 'JSON')).toThrow(mistake)
  })
})
