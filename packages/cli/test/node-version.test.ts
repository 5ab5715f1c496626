import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.url))

/** Runs `keystamp --version` in a process whose `process.versions` says that it is another version of Node. */
function runAs(
  version: string,
  ...options: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const disguise = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`
  return spawnSync(process.execPath, [...options, '--import', disguise, COMMAND, '--version'], { encoding: 'utf8' })
}

describe('the version of Node', () => {
  it.each(['14.21.3', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    'is refused with a sentence if it is %s',
    (version) => {
      const { status, stdout, stderr } = runAs(version)

      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: '',
        stderr: `keystamp: Node ${version} is too old: keystamp needs 20.19 or later, and of version 22 at least 22.12.\n`
      })
    }
  )

  it.each(['20.19.0', '22.12.0'])('may be %s', (version) => {
    expect(runAs(version, '--conditions=@keystamp/source', '--import', 'tsx')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+/)
    })
  })

  it('is checked before anything is imported, in syntax that an old Node can parse', () => {
    const text = readFileSync(COMMAND, 'utf8')

    expect(text).not.toMatch(/^import /m)
    expect(text).not.toMatch(/\?\.|\?\?|\bawait\b|\bstatic\b/)
  })

  it('is in the field `engines` of every package', () => {
    const root = new URL('../../../', import.meta.url)
    const folders = [
      '.',
      'connector',
      ...['cli', 'core', 'cosmos', 'emulator', 'stream', 'testkit'].map((name) => `packages/${name}`)
    ]
    const named = folders.map((folder) => {
      const { engines } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, root), 'utf8')) as {
        engines: { node: string }
      }
      return engines.node
    })

    expect(named).toEqual(folders.map(() => '^20.19 || >=22.12'))
  })
})
