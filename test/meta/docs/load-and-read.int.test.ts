import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmulator } from '@keystamp/emulator'
import { describe, expect, it } from 'vitest'
import { examplesOf } from './examples-of.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${ROOT}/examples/load-and-read/README.md`, 'utf8')
const [script, promised, load] = examplesOf('README.md', page).map(({ text }) => text)

describe('the example load-and-read', () => {
  it('shows the output of its script', async () => {
    expect(await node(script.trim().replace(/^node /, ''))).toBe(promised)
  })

  it('shows a command that creates a container, and a command that loads the file into this container', async () => {
    const [emulate, line] = load.trim().split('\n')
    const container = /^npx keystamp emulate --container (\S+)/.exec(emulate)?.[1] ?? ''
    const emulator = await startEmulator({ auth: 'off', ruPerSecond: 100_000, containers: [container] })
    try {
      await node(
        line
          .replace('npx keystamp', 'packages/cli/bin/keystamp.mjs')
          .replace('http://127.0.0.1:8081/', emulator.endpoint)
      )

      expect(emulator.report().containers[0].items).toBe(24)
    } finally {
      await emulator.stop()
      // a failed load leaves this file
      rmSync(`${ROOT}/examples/load-and-read/drives.ndjson.checkpoint`, { force: true })
    }
  })
})

/** Runs a script in the root of the repository, with the sources of the packages. */
async function node(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@keystamp/source', '--import', 'tsx', ...command.split(' ')],
    { cwd: ROOT }
  )
  return stdout
}
