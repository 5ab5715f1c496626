import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('measure-promotion.ts', import.meta.url))

// the young generation has a fixed size, which is large enough that V8 collects it only when the program says so
const OPTIONS = ['--expose-gc', '--min-semi-space-size=16', '--max-semi-space-size=16']

describe('a request and its response', () => {
  it('are freed before they leave the young generation of the heap', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...OPTIONS,
      '--conditions=@keystamp/source',
      '--import',
      'tsx',
      PROGRAM
    ])
    const { bytesEach } = JSON.parse(stdout) as { readonly bytesEach: number }

    // about 700: V8 allocates some objects in the old generation from the beginning; if the writer kept open requests
    // in a Set, about 2,700
    expect(bytesEach).toBeLessThan(1500)
  }, 60_000)
})
