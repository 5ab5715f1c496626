import { PassThrough, Readable } from 'node:stream'
import { KeystampError } from '@keystamp/core'
import { expect, test } from 'vitest'
import { reportError } from '../src/report-error.ts'
import type { Surroundings } from '../src/surroundings.ts'
import { UsageError } from '../src/usage-error.ts'

test.each([
  [new UsageError('Wrong.'), 2, 'keystamp: Wrong.\n'],
  [new KeystampError('PLAN_INVALID', 'A mistake.'), 2, 'keystamp: A mistake.\n'],
  [new KeystampError('REJECTED_TOO_MANY', 'Too many.'), 3, 'keystamp: Too many.\n'],
  [new KeystampError('OUTPUT_UNWRITABLE', 'Full.'), 1, 'keystamp: Full.\n'],
  [new Error('Something else.'), 1, 'keystamp: Something else.\n'],
  ['a text', 1, 'keystamp: a text\n'],
  [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 0, '']
])('%s ends with %i', (error, code, sentence) => {
  const { surroundings, said } = quiet(new AbortController().signal)

  expect(reportError(error, surroundings)).toBe(code)
  expect(said()).toBe(sentence)
})

test('whatever is thrown behind an interruption is the interruption', () => {
  const { surroundings } = quiet(AbortSignal.abort())

  expect(reportError(new Error('aborted'), surroundings)).toBe(130)
})

function quiet(signal: AbortSignal): { readonly surroundings: Surroundings; readonly said: () => string } {
  const stderr = new PassThrough()
  const surroundings = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, signal, now: () => 0, env: {} }
  return { surroundings, said: () => String(stderr.read() ?? '') }
}
