import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// each run of cspell takes seconds: two of them hold all of it
it('finds mistakes of spelling in comments and strings of a source, not in its names, and not in words of the project', () => {
  const text = "// Keystamp upserts: the partiton of kafca\nconst nmae = 'zstd and behaviour'\n"
  expect(spell('packages/core/src/a.ts', text)).toEqual(['partiton', 'kafca', 'behaviour'])
})

it('lets tests and only tests make some mistakes on purpose', () => {
  expect(spell('packages/core/test/a.test.ts', "const a = 'kafca of a partiton'\n")).toEqual(['partiton'])
})

it.each(readdirSync('.cspell'))('.cspell/%s is sorted, and holds each word once', (name) => {
  const [head, ...words] = readFileSync(`.cspell/${name}`, 'utf8').trimEnd().split('\n')
  expect(head).toMatch(/^# /)
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
})

/** Unknown words of a file that would be there. */
function spell(path: string, text: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/cspell/bin.mjs',
      'lint',
      '--no-progress',
      '--no-summary',
      `stdin://${process.cwd().replaceAll('\\', '/')}/${path}`
    ],
    { input: text, encoding: 'utf8' }
  )
  return [...stdout.matchAll(/Unknown word \(([^\s)]+)/g)].map(([, word]) => word)
}
