import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkOutputs } from '../../src/planner/write-report.ts'
import { runCommand } from '../run-command.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-write-'))
  await writeFile(join(folder, 'present.html'), 'an older page')
})

afterEach(() => rm(folder, { recursive: true }))

describe('checkOutputs', () => {
  it.each([
    ['a missing folder', 'missing/page.html', 'there is no such file or folder'],
    ['a file in place of the folder', 'present.html/page.html', 'a part of its path is not a folder'],
    ['a folder in place of the file', '.', 'it is a folder']
  ])('refuses a page in %s', async (_title, name, reason) => {
    const path = join(folder, name)

    await expect(checkOutputs({ html: path })).rejects.toThrow(`The page ${path} cannot be written: ${reason}.`)
    await expect(checkOutputs({ write: path })).rejects.toThrow(`The key plan ${path} cannot be written: ${reason}.`)
  })

  it('accepts a new file and a present one, and creates nothing', async () => {
    await checkOutputs({ html: join(folder, 'present.html'), write: join(folder, 'plan.json') })

    expect(await readdir(folder)).toEqual(['present.html'])
  })
})

describe('a page in a missing folder', () => {
  it.each([
    ['plan', ['plan', 'missing.ndjson']],
    ['xray', ['xray', 'http://127.0.0.1:1/d/c']]
  ])('ends keystamp %s before it reads', async (_name, args) => {
    const { code, stdout, stderr } = await runCommand([...args, '--html', join(folder, 'missing/page.html')])

    expect(stderr).toContain('page.html cannot be written: there is no such file or folder.')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})
