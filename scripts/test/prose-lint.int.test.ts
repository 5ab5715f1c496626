import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('npm run prose fails with the file, the line and the words, and passes after the words are removed', () => {
  const root = mkdtempSync(join(tmpdir(), 'keystamp-prose-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'scripts/prose-baseline.json'), '{ "docs": { "anew": 1 } }')
  writeFileSync(join(root, 'docs/a.md'), 'plain\n\nstands beside it\n')
  const run = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/prose-lint.ts', '--root', root, ...words], {
      encoding: 'utf8'
    })

  expect(run('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('docs/a.md:3 "beside": next to') })
  expect(run('docs/a.md').stdout).toContain('docs/a.md:3 beside')

  writeFileSync(join(root, 'docs/a.md'), 'plain\n')
  expect(run('--check')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('--update lowers the baseline')
  })
  execFileSync('git', ['add', '.'], { cwd: root })
  rmSync(join(root, 'docs/a.md'))
  run('--update')
  expect(JSON.parse(readFileSync(join(root, 'scripts/prose-baseline.json'), 'utf8'))).toEqual({})
})
