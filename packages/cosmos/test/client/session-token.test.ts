import { describe, expect, it } from 'vitest'
import { coversToken, isCurrent } from '../../src/client/session-token.ts'

const answer = (token: string | undefined, status = 200) => ({
  status,
  headers: token === undefined ? {} : { 'x-ms-session-token': token }
})

describe('whether an answer is as new as a session token', () => {
  it.each([
    ['0:-1#10', '0:-1#10', true],
    ['0:-1#11', '0:-1#10', true],
    ['0:-1#9', '0:-1#10', false],
    ['0:9', '0:10', false],
    ['0:1#9#4=8', '0:1#10#4=9', false],
    // after a failover
    ['0:2#9', '0:1#10', true],
    ['0:1#11', '0:2#10', false],
    // another physical partition
    ['1:-1#9', '0:-1#10', true],
    ['1:-1#9', '0:-1#10,1:-1#10', false],
    ['not a token', '0:-1#10', true]
  ])('%s answers %s: %s', (answered, asked, is) => {
    expect(isCurrent(answer(answered), asked)).toBe(is)
  })

  it('also holds for a missing document and for the end of a feed, but not for a failure', () => {
    expect(isCurrent(answer('0:-1#9', 404), '0:-1#10')).toBe(false)
    expect(isCurrent(answer('0:-1#9', 304), '0:-1#10')).toBe(false)
    expect(isCurrent(answer('0:-1#9', 503), '0:-1#10')).toBe(true)
    expect(isCurrent(answer(undefined), '0:-1#10')).toBe(true)
  })
})

describe('whether a session token has all changes of another one', () => {
  it.each([
    ['0:-1#10', '0:-1#10', true],
    ['0:-1#9', '0:-1#10', false],
    ['0:2#9', '0:1#10', true],
    ['1:-1#9,0:-1#11', '0:-1#10', true],
    // cannot be compared
    ['1:-1#11', '0:-1#10', false],
    ['not a token', '0:-1#10', false],
    ['0:-1#10', 'not a token', false],
    ['', '', false]
  ])('%s covers %s: %s', (answered, asked, is) => {
    expect(coversToken(answered, asked)).toBe(is)
  })
})
