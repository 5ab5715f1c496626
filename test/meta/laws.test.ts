import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testSources } from './law-sources.ts'
import { lawComplaints, readLaws } from './laws.ts'

describe('SPEC.md', () => {
  const laws = readLaws(readFileSync(fileURLToPath(new URL('../../SPEC.md', import.meta.url)), 'utf8'))

  it('lists all laws, each with its tests', () => {
    expect(laws.length).toBeGreaterThanOrEqual(11)
    expect(lawComplaints(laws, testSources()), 'npm run docs writes the lists').toEqual([])
  })
})

describe('a list of laws', () => {
  const held = '## L1 Nothing is lost\n\nState: held.\n\n- `a.test.ts`\n  - loses nothing\n'
  const sources = new Map([['a.test.ts', "// checks L1\nit('loses nothing', () => {})"]])

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

  it('is refused if a law names a test that does not name the law', () => {
    const other = new Map([['a.test.ts', "it('loses nothing', () => {})"]])

    expect(lawComplaints(readLaws(held), other)).toEqual([
      'L1 names "loses nothing" of a.test.ts, which does not name L1'
    ])
  })

  it.each([
    ['the title of a test', "it.each([1])('keeps %s, as L1 wants', () => {})", 'keeps …, as L1 wants'],
    ['the comment above a test', "// checks L1\nit('keeps all', () => {})", 'keeps all']
  ])('is refused if %s contains the id of a law, but the law does not name the test', (_where, source, name) => {
    const more = new Map([...sources, ['b.test.ts', source]])

    expect(lawComplaints(readLaws(held), more)).toEqual([`L1 in SPEC.md does not name "${name}" of b.test.ts`])
  })

  it.each([
    ['a skipped test', "// checks L1\nit.skip('keeps all', () => {})"],
    ['an empty line', "// checks L1\n\nit('keeps all', () => {})"],
    ['a describe', "// checks L1\ndescribe('a sink', () => {})"]
  ])('is refused if a comment with the id of a law is above %s', (_what, source) => {
    const more = new Map([...sources, ['b.test.ts', source]])

    expect(lawComplaints(readLaws(held), more)).toEqual([
      'b.test.ts has a comment "// checks L..." that is not directly above a test that runs'
    ])
  })
})
