import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { examplesOf } from './examples-of.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${ROOT}/examples/choose-a-key/README.md`, 'utf8')
const [commands, verdict, plan] = examplesOf('README.md', page).map(({ text }) => text)

describe('the example choose-a-key', () => {
  it('shows the verdict that the command prints, and the plan that it writes', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keystamp-choose-a-key-'))
    try {
      const [make, choose] = commands.trim().split('\n')
      const [script, file] = make.replace(/^node /, '').split(' > ')
      writeFileSync(join(folder, file), await node(script))
      const line = choose
        .replace('npx keystamp', 'packages/cli/bin/keystamp.mjs')
        .replace(file, join(folder, file))
        .replace('plan.json', join(folder, 'plan.json'))

      expect(await node(line)).toContain(verdict)
      expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))).toEqual(JSON.parse(plan))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Runs a script in the root of the repository, with the sources of the packages. */
async function node(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@keystamp/source', '--import', 'tsx', ...command.split(' ')],
    { cwd: ROOT, maxBuffer: 64 << 20 }
  )
  return stdout
}
