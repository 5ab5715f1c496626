import { PassThrough, Readable } from 'node:stream'
import { KeystampError } from '@keystamp/core'
import { expect, test } from 'vitest'
import { reportError } from '../src/report-error.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { UsageError } from '../src/exit-codes.ts'

test.each([
  [new UsageError('Wrong.'), 2, 'keystamp: Wrong.\n'],
  [new KeystampError('PLAN_INVALID', 'A mistake.'), 2, 'keystamp: A mistake.\n'],
  [new KeystampError('REJECTED_TOO_MANY', 'Too many.'), 3, 'keystamp: Too many.\n'],
  [new KeystampError('OUTPUT_UNWRITABLE', 'Full.'), 1, 'keystamp: Full.\n'],
  [new Error('Something else.'), 1, 'keystamp: Something else.\n'],
  ['a string', 1, 'keystamp: a string\n'],
  [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 0, '']
])('a command that fails with %s ends with exit code %i', (error, code, sentence) => {
  const { dependencies, said } = quiet(new AbortController().signal)

  expect(reportError(error, dependencies)).toBe(code)
  expect(said()).toBe(sentence)
})

test('an error after an interruption is reported with the exit code of an interruption', () => {
  const { dependencies } = quiet(AbortSignal.abort())

  expect(reportError(new Error('aborted'), dependencies)).toBe(130)
})

function quiet(signal: AbortSignal): { readonly dependencies: Dependencies; readonly said: () => string } {
  const stderr = new PassThrough()
  const dependencies = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, signal, now: () => 0, env: {} }
  return { dependencies, said: () => String(stderr.read() ?? '') }
}
