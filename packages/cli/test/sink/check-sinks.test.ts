import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { checkSinks } from '../../src/sink/check-sinks.ts'

test('keystamp sink --check ends at the first signal, even while the configuration is still being read', async () => {
  const abort = new AbortController()
  const stderr = new PassThrough()
  const dependencies = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    env: {},
    signal: abort.signal,
    now: () => 0
  }
  setImmediate(() => abort.abort())

  expect(await checkSinks('-', { json: false, showValues: false }, dependencies)).toBe(130)
  expect(String(stderr.read())).toBe('keystamp: interrupted before everything was checked.\n')
})
