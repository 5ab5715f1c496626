import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const SOURCE = 'packages/core/src/a.ts'
const TEST = 'packages/core/test/a.test.ts'

const FILES: Readonly<Record<string, string>> = {
  [SOURCE]: "// Keystamp upserts: the partiton of kafca\nconst nmae = 'zstd and behaviour'\n",
  [TEST]: "const a = 'kafca of a partiton'\n"
}

describe('npm run spelling', () => {
  let output: string

  // one run for all tests: cspell reads its dictionaries for more than a second
  beforeAll(async () => {
    output = await spell(FILES)
  })

  it('reports spelling mistakes in comments and strings of a source, but not in identifiers and words of the project', () => {
    expect(unknownWords(output, SOURCE)).toEqual(['partiton', 'kafca', 'behaviour'])
  })

  it('allows some intentional mistakes in tests, and only there', () => {
    expect(unknownWords(output, TEST)).toEqual(['partiton'])
  })
})

/** Output of cspell about these files, with the configuration of the project. */
async function spell(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-spelling-'))
  for (const path of ['cspell.json', '.cspell']) cpSync(path, join(folder, path), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const args = [join(process.cwd(), 'node_modules/cspell/bin.mjs'), 'lint', '--no-progress', '--no-summary']
  try {
    // cspell exits with 1 when it finds mistakes
    return await new Promise((resolve) => {
      execFile(process.execPath, [...args, ...Object.keys(files)], { cwd: folder }, (_error, stdout) => resolve(stdout))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function unknownWords(output: string, path: string): string[] {
  const lines = output.split('\n').filter((line) => line.startsWith(`${path}:`))
  return lines.flatMap((line) => /Unknown word \(([^\s)]+)/.exec(line)?.[1] ?? [])
}
