import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lawComplaints, readLaws } from './laws.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('SPEC.md', () => {
  const laws = readLaws(readFileSync(join(ROOT, 'SPEC.md'), 'utf8'))

  it('lists all laws, each with its tests', () => {
    expect(laws.length).toBeGreaterThanOrEqual(11)
    expect(lawComplaints(laws, testSources())).toEqual([])
  })
})

describe('a list of laws', () => {
  const held = '## L1 Nothing is lost\n\nState: held.\n\n- `a.test.ts`: loses nothing\n'
  const sources = new Map([['a.test.ts', "it('loses nothing', () => {})"]])

  it('is accepted if each held law names a test that runs', () => {
    expect(lawComplaints(readLaws(held), sources)).toEqual([])
  })

  it.each([
    ['a held law names no test', '## L1 Nothing is lost\n\nState: held.\n', 'L1 has the state held and names no test'],
    [
      'a law that is not built names a test',
      held.replace('held', 'not built'),
      'L1 has the state not built and names tests'
    ],
    ['a state is unknown', held.replace('held', 'fine'), 'L1 has none of the states held, partly, not built'],
    ['a file does not exist', held.replace('a.test', 'b.test'), 'L1 names b.test.ts, which does not exist'],
    [
      'a title does not exist',
      held.replace('loses nothing', 'loses'),
      'L1 names "loses", which a.test.ts does not run'
    ],
    ['a law is missing', held.replace('L1', 'L2'), 'L1 is missing: L2 is listed instead']
  ])('is refused if %s', (_what, spec, complaint) => {
    expect(lawComplaints(readLaws(spec), sources)).toContain(complaint)
  })

  it('is refused if the named test is skipped', () => {
    const skipped = new Map([['a.test.ts', "it.skip('loses nothing', () => {})"]])

    expect(lawComplaints(readLaws(held), skipped)).toEqual(['L1 names "loses nothing", which a.test.ts does not run'])
  })

  it('is refused if the title of a test contains the id of a law, but the law does not name the test', () => {
    const more = new Map([...sources, ['b.test.ts', "it.each([1])('keeps %s, as L1 wants', () => {})"]])

    expect(lawComplaints(readLaws(held), more)).toEqual([
      'L1 in SPEC.md does not name "keeps %s, as L1 wants" of b.test.ts'
    ])
  })
})

function testSources(): Map<string, string> {
  const folders = [
    'test',
    'connector/test',
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`)
  ]
  const files = folders.flatMap((folder) =>
    filesUnder(folder).filter((file) => file.endsWith('.test.ts') && file !== 'test/meta/laws.test.ts')
  )
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
