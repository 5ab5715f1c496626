import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { examplesOf } from './examples-of.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${ROOT}/examples/change-a-key/README.md`, 'utf8')
const [command, promised] = examplesOf('README.md', page).map(({ text }) => text)

describe('the example change-a-key', () => {
  it('moves the container of an application, with the output of its README', { timeout: 120_000 }, async () => {
    // with the built packages, as a reader of the page does
    const { stdout } = await promisify(execFile)(process.execPath, [command.trim().replace(/^node /, '')], {
      cwd: ROOT,
      timeout: 110_000
    })
    expect(stdout).toBe(promised)
  })
})
