import { countLawComments, titledTests } from './titled-tests.ts'

export interface Law {
  readonly id: string
  readonly state: string
  readonly tests: readonly NamedTest[]
}

export interface NamedTest {
  readonly file: string
  /** Titles in the form "describe > title". */
  readonly name: string
}

const STATES = ['held', 'partly', 'not built']

/** Reads the laws of SPEC.md. Each law has a heading, a line with its state, and a list of tests by file. */
export function readLaws(spec: string): Law[] {
  return spec
    .split(/^## (?=L\d+ )/m)
    .slice(1)
    .map((section) => ({
      id: /^L\d+/.exec(section)?.[0] ?? '',
      state: /^State: ([a-z ]+)\./m.exec(section)?.[1] ?? '',
      tests: listedTests(section)
    }))
}

/** Tests of a law in the order of the files; `sources`: the text of every test file by its path. */
export function testsOfLaw(id: string, sources: ReadonlyMap<string, string>): NamedTest[] {
  return [...sources].flatMap(([file, source]) =>
    titledTests(source)
      .filter(({ laws }) => laws.includes(id))
      .map(({ name }) => ({ file, name }))
  )
}

/** Differences between the laws and the tests; `sources`: the text of every test file by its path. */
export function lawComplaints(laws: readonly Law[], sources: ReadonlyMap<string, string>): string[] {
  return [
    ...laws.flatMap((law, index) => [...aboutLaw(law, index), ...aboutListed(law, sources)]),
    ...[...sources].flatMap(([file, source]) => [...aboutTests(laws, file, source), ...aboutComments(file, source)])
  ]
}

function listedTests(section: string): NamedTest[] {
  const tests: NamedTest[] = []
  let file = ''
  for (const [, listedFile, name] of section.matchAll(/^- `([^`]+\.test\.ts)`$|^ {2}- (.+)$/gm)) {
    if (listedFile !== undefined) file = listedFile
    else if (file !== '' && name !== undefined) tests.push({ file, name })
  }
  return tests
}

function aboutLaw({ id, state, tests }: Law, index: number): string[] {
  const found: string[] = []
  if (id !== `L${index + 1}`) found.push(`L${index + 1} is missing: ${id} is listed instead`)
  if (!STATES.includes(state)) found.push(`${id} has none of the states ${STATES.join(', ')}`)
  if (state !== 'not built' && tests.length === 0) found.push(`${id} has the state ${state} and names no test`)
  if (state === 'not built' && tests.length > 0) found.push(`${id} has the state not built and names tests`)
  return found
}

function aboutListed({ id, tests }: Law, sources: ReadonlyMap<string, string>): string[] {
  return tests.flatMap(({ file, name }) => {
    const source = sources.get(file)
    if (source === undefined) return [`${id} names ${file}, which does not exist`]
    const test = titledTests(source).find((other) => other.name === name)
    if (test === undefined) return [`${id} names "${name}", which ${file} does not run`]
    return test.laws.includes(id) ? [] : [`${id} names "${name}" of ${file}, which does not name ${id}`]
  })
}

function aboutTests(laws: readonly Law[], file: string, source: string): string[] {
  return titledTests(source).flatMap(({ name, laws: ids }) =>
    ids
      .filter(
        (id) => !laws.some((law) => law.id === id && law.tests.some((test) => test.file === file && test.name === name))
      )
      .map((id) => `${id} in SPEC.md does not name "${name}" of ${file}`)
  )
}

function aboutComments(file: string, source: string): string[] {
  const attached = titledTests(source).filter(({ hasComment }) => hasComment).length
  return attached === countLawComments(source)
    ? []
    : [`${file} has a comment "// checks L..." that is not directly above a test that runs`]
}
