import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { packagesOf, plantedCopy } from './planted-copy.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The planted violation, the check that has to report it, and two strings that one of its messages must contain. */
const MISTAKES = [
  ['a floating promise', 'lint', 'packages/stream/src/planted/floating.ts', 'no-floating-promises'],
  ['an import of a Node module in core', 'lint', 'packages/core/src/planted/node.ts', 'core imports nothing'],
  ['an import of another package in core', 'lint', 'packages/core/src/planted/arrow.ts', 'core imports nothing'],
  ['randomness in core', 'lint', 'packages/core/src/planted/random.ts', 'Randomness is handed in'],
  ['the clock in core', 'lint', 'packages/core/src/planted/random.ts', 'The clock is handed in'],
  ['a module of Node in planner', 'lint', 'packages/planner/src/planted/node.ts', 'planner is pure'],
  ['another package in planner', 'lint', 'packages/planner/src/planted/arrow.ts', 'planner is pure'],
  ['the clock in planner', 'lint', 'packages/planner/src/planted/random.ts', 'The clock is handed in'],
  ['an import of core in the emulator', 'lint', 'packages/emulator/src/planted/ours.ts', 'cannot share our mistakes'],
  ['an import of the emulator in stream', 'lint', 'packages/stream/src/planted/arrow.ts', 'stream knows core only'],
  ['an import of the emulator in cosmos', 'lint', 'packages/cosmos/src/planted/arrow.ts', 'cosmos knows core only'],
  [
    'an import of the emulator in connector',
    'lint',
    'connector/src/planted/arrow.ts',
    'connector knows core and cosmos only'
  ],
  [
    'an import of an internal module of a package',
    'lint',
    'packages/cli/src/planted/insides.ts',
    'its insides may change'
  ],
  ['a relative import into a package from test', 'lint', 'test/planted/path.ts', 'never by a path into it'],
  [
    'an import of an internal module of core in stream',
    'lint',
    'packages/stream/src/planted/insides.ts',
    'stream knows core only'
  ],
  ['a circular import', 'lint', 'packages/stream/src/planted/circle-a.ts', 'no-cycle'],
  ['a default export', 'lint', 'packages/stream/src/planted/default.ts', 'no-default-export'],
  ['the type any', 'lint', 'packages/stream/src/planted/any.ts', 'no-explicit-any'],
  [
    'a relative import into another package',
    'types',
    'packages/stream/src/planted/relative.ts',
    'resolves to another project'
  ],
  ['a relative import into a package that is not referenced', 'types', "packages/emulator/src'", 'TS6059'],
  ['a type error in a test', 'test types', 'test/planted/types.ts', 'TS2322'],
  ['an unused export', 'dead code', 'packages/core/src/hash/hex.ts', 'nobodyUsesThis'],
  ['an unused file', 'dead code', 'packages/core/src/planted/node.ts', 'packages/core/src/planted/node.ts'],
  ['a dependency that is not declared', 'dead code', 'packages/core/src/index.ts', 'stream-json'],
  [
    'a file with another format',
    'format',
    'packages/core/src/planted/format.ts',
    'packages/core/src/planted/format.ts'
  ],
  ['a generated page that differs from the code', 'docs', 'docs/errors.md', 'Out of date'],
  ['an option that is missing in the API report', 'docs', 'docs/api/cosmos.d.ts', 'Out of date'],
  ['a package that exports a file that it does not contain', 'package core', 'exports', './dist/missing.js'],
  [
    'a package without the declarations that it exports',
    'package types',
    'node16-esm',
    '@keystamp/core: Resolution failed'
  ]
] as const

const IN_SOURCES: Readonly<Record<string, string>> = {
  'packages/stream/src/planted/floating.ts':
    'async function work(): Promise<void> {}\n\nexport function start(): void {\n  work()\n}\n',
  'packages/stream/src/planted/fine.ts':
    'async function work(): Promise<void> {}\n\nexport async function start(): Promise<void> {\n  await work()\n}\n',
  'packages/core/src/planted/node.ts': "export { readFileSync } from 'node:fs'\n",
  'packages/core/src/planted/arrow.ts': "export { stamp } from '@keystamp/stream'\n",
  'packages/core/src/planted/random.ts': 'export const now: number = Date.now() + Math.random()\n',
  'packages/planner/src/planted/node.ts': "export { readFileSync } from 'node:fs'\n",
  'packages/planner/src/planted/arrow.ts': "export { stamp } from '@keystamp/stream'\n",
  'packages/planner/src/planted/random.ts': 'export const now: number = Date.now()\n',
  'packages/emulator/src/planted/ours.ts': "export { partitionHash } from '@keystamp/core'\n",
  'packages/stream/src/planted/arrow.ts': "export { startEmulator } from '@keystamp/emulator'\n",
  'connector/src/planted/arrow.ts': "export { startEmulator } from '@keystamp/emulator'\n",
  'packages/cosmos/src/planted/arrow.ts': "export { startEmulator } from '@keystamp/emulator'\n",
  'packages/cli/src/planted/insides.ts': "export { partitionHash } from '@keystamp/core/src/hash/partition-hash.ts'\n",
  'packages/stream/src/planted/circle-a.ts':
    "import { b } from './circle-b.ts'\n\nexport const a: () => number = () => b()\n",
  'packages/stream/src/planted/circle-b.ts':
    "import { a } from './circle-a.ts'\n\nexport const b: () => number = () => a()\n",
  'packages/stream/src/planted/default.ts': 'const one: number = 1\nexport default one\n',
  'packages/stream/src/planted/any.ts': 'export const one: any = 1\n',
  'packages/stream/src/planted/relative.ts':
    "export { partitionHash } from '../../../core/src/hash/partition-hash.ts'\n",
  'packages/emulator/src/planted/relative.ts':
    "export { partitionHash } from '../../../core/src/hash/partition-hash.ts'\n",
  'packages/stream/src/planted/insides.ts':
    "export { partitionHash } from '@keystamp/core/src/hash/partition-hash.ts'\n",
  'test/planted/path.ts': "export { rangesOf } from '../../packages/core/src/index.ts'\n",
  'test/planted/types.ts': "export const count: number = 'one'\n",
  'packages/core/src/hash/hex.ts': '\nexport const nobodyUsesThis: number = 1\n',
  'packages/core/src/index.ts': "export type Undeclared = typeof import('stream-json')\n",
  'packages/core/src/planted/format.ts': 'export const text = "text";\n'
}

// stands for the sources of core, which the checks would have to read
const SMALL_CORE: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': "export { partitionHash } from './hash/partition-hash.ts'\n",
  'packages/core/src/hash/partition-hash.ts':
    "import { hex } from './hex.ts'\n\nexport const partitionHash: string = hex\n",
  'packages/core/src/hash/hex.ts': "export const hex: string = 'ff'\n"
}

const IN_PAGES: Readonly<Record<string, string>> = {
  // TypeScript merges this declaration with the one of the same name in the file
  'packages/cosmos/src/writer/writer-options.ts':
    '\nexport interface WriterOptions {\n  readonly planted?: string\n}\n',
  'docs/errors.md': '\nOne more word.\n'
}

// stands for the rows of a page that is not tested here: they import most of the project
const NO_ROWS: Readonly<Record<string, string>> = { 'test/acceptance/rows.ts': 'export const ROWS = []\n' }

const MANIFEST = 'packages/core/package.json'

const IN_PACKAGE: Readonly<Record<string, string>> = {
  [MANIFEST]: readFileSync(join(ROOT, MANIFEST), 'utf8')
    .replace('./dist/index.js', './dist/missing.js')
    .replace('./dist/index.d.ts', './dist/missing.d.ts')
}

const SMALL_BUILD: Readonly<Record<string, string>> = Object.fromEntries(
  ['index.js', 'index.d.ts', 'internal.js', 'internal.d.ts'].map((name) => [
    `packages/core/dist/${name}`,
    'export {}\n'
  ])
)

/** Checks that run together over a copy of a part of the project. */
interface Part {
  readonly checks: readonly string[]
  readonly paths: readonly string[]
  /** Further files of the copy, instead of larger ones of the project. */
  readonly files: Readonly<Record<string, string>>
  /** Violations, by path; the string is appended to an existing file. */
  readonly planted: Readonly<Record<string, string>>
}

// files that every check needs; without .gitignore the checks would read the dependencies
const COMMON_PATHS = ['package.json', '.gitignore', 'scripts/check.mjs', 'scripts/public-packages.mjs']

// not all checks over the whole project, which takes half a minute of processor time
const PARTS: readonly Part[] = [
  {
    checks: ['format', 'lint', 'types', 'test types', 'dead code'],
    paths: [
      'tsconfig.json',
      'tsconfig.base.json',
      'tsconfig.tests.json',
      '.oxfmtrc.json',
      '.oxlintrc.json',
      'knip.jsonc',
      ...packagesOf(ROOT).flatMap((path) => [join(path, 'package.json'), join(path, 'tsconfig.json')])
    ],
    files: SMALL_CORE,
    planted: IN_SOURCES
  },
  {
    checks: ['docs'],
    paths: [
      ...['scripts', 'docs', 'tsconfig.json', 'tsconfig.base.json', '.oxfmtrc.json'],
      ...['laws.ts', 'law-sources.ts', 'titled-tests.ts'].map((name) => join('test/meta', name)),
      ...['packages/core', 'packages/cosmos', 'packages/emulator', 'packages/planner', 'connector'].flatMap((path) =>
        ['package.json', 'tsconfig.json', 'src'].map((name) => join(path, name))
      )
    ],
    files: NO_ROWS,
    planted: IN_PAGES
  },
  {
    checks: ['package types', 'package core'],
    paths: ['scripts/check-package-types.mjs'],
    files: SMALL_BUILD,
    planted: IN_PACKAGE
  }
]

describe('npm run check', () => {
  const outputs = new Map<string, string>()

  // one hook for each part: the checks of a part need seconds of processor time
  for (const part of PARTS) {
    beforeAll(() => {
      for (const { name, output } of runChecks(part)) outputs.set(name, output)
    }, 180_000)
  }

  it.each(MISTAKES)('reports %s', (_what, check, file, complaint) => {
    const found = complaintsOf(check, outputs.get(check) ?? '')

    expect(found.filter((each) => each.includes(complaint) && each.includes(file))).not.toEqual([])
  })

  it('does not report correct code next to the mistakes', () => {
    const found = ['lint', 'types', 'format'].flatMap((check) => complaintsOf(check, outputs.get(check) ?? ''))

    expect(found.filter((each) => each.includes('planted/fine.ts'))).toEqual([])
  })
})

// the linter separates its messages by empty lines; each message of the other checks is one line
function complaintsOf(check: string, output: string): string[] {
  return output.split(check === 'lint' ? /\n\s*\n/ : '\n')
}

function runChecks({
  checks,
  paths,
  files,
  planted
}: Part): readonly { readonly name: string; readonly output: string }[] {
  const { folder, plant, remove } = plantedCopy(ROOT, [...COMMON_PATHS, ...paths])
  try {
    for (const [path, text] of [...Object.entries(files), ...Object.entries(planted)]) plant(path, text)
    const report = join(folder, 'outcomes.json')
    spawnSync(process.execPath, ['scripts/check.mjs', '--report', report, ...checks], { cwd: folder })
    return JSON.parse(readFileSync(report, 'utf8')) as { name: string; output: string }[]
  } finally {
    remove()
  }
}
