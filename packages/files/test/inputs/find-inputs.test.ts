import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findInputs, splitPattern } from '../../src/inputs/find-inputs.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

describe('findInputs', () => {
  const path = useTemporaryFolder()

  test.each([
    ['*.json', ['a.json', 'b.json']],
    ['?.json', ['a.json', 'b.json']],
    ['[ab].json', ['a.json', 'b.json']],
    ['[!b-z].json', ['a.json']],
    ['x/y/c[+](1).gz', ['x/y/c+(1).gz']],
    ['*/a.json', ['x/a.json']],
    ['**/a.json', ['a.json', 'x/a.json', 'x/y/a.json']],
    ['x/**/*.gz', ['x/y/c+(1).gz']],
    ['**/c+(1).*', ['x/y/c+(1).gz']],
    ['{a,b}.js?n', ['{a,b}.json']],
    ['link.*', ['link.json']],
    ['link*/*.gz', ['link-y/c+(1).gz']],
    ['!*.json', ['!a.json']],
    ['"a*', ['"a".json']]
  ])('expands the pattern %s to file names in order, without hidden files', async (pattern, expected) => {
    mkdirSync(path('x/y'), { recursive: true })
    mkdirSync(path('.git'))
    for (const name of ['b.json', 'a.json', '.hidden.json', '.git/a.json', 'x/a.json', 'x/y/a.json', 'x/y/c+(1).gz'])
      writeFileSync(path(name), '')
    for (const name of ['{a,b}.json', '!a.json', '"a".json'])
      if (pattern.startsWith(name[0])) writeFileSync(path(name), '')
    if (pattern.startsWith('link')) {
      symlinkSync(path('a.json'), path('link.json'))
      symlinkSync(path('x/y'), path('link-y'))
    }

    expect(await findInputs([path(pattern)])).toEqual(expected.map((name) => path(name)))
  })

  test('splits a pattern at slashes and backslashes on Windows, and keeps the drive in it', () => {
    expect(splitPattern(String.raw`C:\data/*\a.json`, win32)).toEqual({ folder: String.raw`C:\data`, glob: '*/a.json' })
    expect(splitPattern(String.raw`*\a.json`, win32)).toEqual({ folder: '', glob: '*/a.json' })
    expect(splitPattern(String.raw`/data/*\a.json`, posix)).toEqual({ folder: '/data', glob: String.raw`*\\a.json` })
  })

  test('keeps names without a pattern unchanged and in order, and returns standard input if no name is given', async () => {
    expect(await findInputs(['b', '-', 'a'])).toEqual(['b', '-', 'a'])
    expect(await findInputs([])).toEqual(['-'])
  })

  test('keeps a name with brackets unchanged if a file has exactly this name', async () => {
    writeFileSync(path('in[1].json'), '')

    expect(await findInputs([path('in[1].json')])).toEqual([path('in[1].json')])
    await expect(findInputs([path('in[2].json')])).rejects.toThrow('No file matches')
  })

  test('throws if no file matches a pattern', async () => {
    await expect(findInputs([path('*.none')])).rejects.toThrow('No file matches')
    await expect(findInputs([path('**/none.json')])).rejects.toThrow('No file matches')
  })
})
