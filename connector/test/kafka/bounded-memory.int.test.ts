import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('inflate-bombs.ts', import.meta.url))

// The limit for decompression is 64 MiB. Node, the compressed batches and memory that is not collected yet add to that.
// Without the limit, the 20 batches of one fetch take 6 GB.
const MAX_MB = 400

it.for(['gzip', 'snappy', 'lz4', 'zstd'])(
  'L6 a fetch takes bounded memory for batches of 300 MB that are compressed by %s',
  { timeout: 60_000 },
  async (codec) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@keystamp/source',
      '--import',
      'tsx',
      SCRIPT,
      codec
    ])

    expect(Number(stdout)).toBeGreaterThan(50)
    expect(Number(stdout)).toBeLessThan(MAX_MB)
  }
)
