import { describe, expect, test } from 'vitest'
import { parseRejectPolicy } from '../src/shared-options.ts'

describe('--max-rejected', () => {
  test.each(['', ' ', 'few', '-1', '1.5', '1e3', '0x10', '101%', '1 %', '%', '1%%', '.5%'])('refuses %j', (text) => {
    expect(() => parseRejectPolicy('skip', text)).toThrow(
      `--max-rejected must be a whole number, or a percentage from 0% to 100% such as 1%, not "${text}".`
    )
  })
})
