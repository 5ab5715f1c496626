import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('write-and-weigh.ts', import.meta.url))

describe('answers of the service', () => {
  it('is cleared while it is young', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@keystamp/source',
      '--import',
      'tsx',
      PROGRAM
    ])
    const { bytesEach } = JSON.parse(stdout) as { readonly bytesEach: number }

    // of some hundred; with a Set of the requests that are out, half of them
    expect(bytesEach).toBeLessThan(80)
  }, 60_000)
})
