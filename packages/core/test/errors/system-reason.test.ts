import { expect, test } from 'vitest'
import { systemCode, systemReason } from '../../src/errors/system-reason.ts'

test('a system error has a reason in words, any other error its message', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(systemReason(full)).toBe('the disk is full')
  expect(systemCode(full)).toBe('ENOSPC')
  expect(systemReason(Object.assign(new Error('strange'), { code: 'ESTRANGE' }))).toBe('strange')
  expect(systemReason('text')).toBe('text')
  expect(systemCode(Object.assign(new Error('number'), { code: 5 }))).toBeUndefined()
})
