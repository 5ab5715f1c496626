import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// each run of cspell takes seconds, so there are only two runs
it('finds spelling mistakes in comments and strings of a source, but not in identifiers and words of the project', () => {
  const text = "// Keystamp upserts: the partiton of kafca\nconst nmae = 'zstd and behaviour'\n"
  expect(spell('packages/core/src/a.ts', text)).toEqual(['partiton', 'kafca', 'behaviour'])
})

it('allows some intentional mistakes in tests, and only there', () => {
  expect(spell('packages/core/test/a.test.ts', "const a = 'kafca of a partiton'\n")).toEqual(['partiton'])
})

it.each(readdirSync('.cspell'))('.cspell/%s is sorted, and has each word once', (name) => {
  const [head, ...words] = readFileSync(`.cspell/${name}`, 'utf8').trimEnd().split('\n')
  expect(head).toMatch(/^# /)
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
})

/** Unknown words of a text, checked as if it were the file at `path`. */
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
