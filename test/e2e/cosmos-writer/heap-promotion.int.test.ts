import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('measure-promotion.ts', import.meta.url))

describe('the response of a request', () => {
  it('is freed while it is in the young generation', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@keystamp/source',
      '--import',
      'tsx',
      PROGRAM
    ])
    const { bytesEach } = JSON.parse(stdout) as { readonly bytesEach: number }

    // a response takes several hundred bytes; if the writer kept open requests in a Set, half of the bytes would be
    // promoted
    expect(bytesEach).toBeLessThan(80)
  }, 60_000)
})
