import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmulator } from '@keystamp/emulator'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const VERSION = '4.17.1'

const python = await pythonWithSdk()

it.skipIf(python === undefined)('azure-cosmos for Python works with the emulator', { timeout: 60_000 }, async () => {
  const emulator = await startEmulator()
  const script = fileURLToPath(new URL('./python_sdk.py', import.meta.url))
  const { stdout } = await run(python ?? '', [script, emulator.endpoint, emulator.key], { timeout: 50_000 })
  await emulator.stop()

  expect(stdout.trim().split('\n').at(-1)).toBe('all checks passed')
})

/**
 * A Python that has the SDK, in a virtual environment next to other caches; undefined, after a line with the reason,
 * when there is none.
 */
async function pythonWithSdk(): Promise<string | undefined> {
  const home = join(tmpdir(), `keystamp-azure-cosmos-${VERSION}`)
  const binary = join(home, 'bin', 'python')
  try {
    if (!existsSync(join(home, 'ready'))) {
      await run('python3', ['-m', 'venv', home])
      await run(
        binary,
        ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `azure-cosmos==${VERSION}`],
        {
          timeout: 120_000
        }
      )
      await mkdir(join(home, 'ready'))
    }
    return binary
  } catch (error) {
    console.warn(
      `SKIPPED: the Python SDK could not be installed (${error instanceof Error ? error.message.split('\n')[0] : 'unknown'}).`
    )
    return undefined
  }
}
