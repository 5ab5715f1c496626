export interface Law {
  readonly id: string
  readonly state: string
  readonly tests: readonly NamedTest[]
}

export interface NamedTest {
  readonly file: string
  readonly title: string
}

const STATES = ['held', 'partly', 'not built']

/** Reads the laws of SPEC.md. Each law has a heading, a line with its state, and a list of tests. */
export function readLaws(spec: string): Law[] {
  return spec
    .split(/^## (?=L\d+ )/m)
    .slice(1)
    .map((section) => ({
      id: /^L\d+/.exec(section)?.[0] ?? '',
      state: /^State: ([a-z ]+)\./m.exec(section)?.[1] ?? '',
      tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file, title]) => ({ file, title }))
    }))
}

/** Differences between the laws and the tests; `sources`: the text of every test file by its path. */
export function lawComplaints(laws: readonly Law[], sources: ReadonlyMap<string, string>): string[] {
  return [
    ...laws.flatMap((law, index) => [...aboutLaw(law, index), ...aboutTests(law, sources)]),
    ...aboutTitles(laws, sources)
  ]
}

function aboutLaw({ id, state, tests }: Law, index: number): string[] {
  const found: string[] = []
  if (id !== `L${index + 1}`) found.push(`L${index + 1} is missing: ${id} is listed instead`)
  if (!STATES.includes(state)) found.push(`${id} has none of the states ${STATES.join(', ')}`)
  if (state !== 'not built' && tests.length === 0) found.push(`${id} has the state ${state} and names no test`)
  if (state === 'not built' && tests.length > 0) found.push(`${id} has the state not built and names tests`)
  return found
}

function aboutTests({ id, tests }: Law, sources: ReadonlyMap<string, string>): string[] {
  return tests.flatMap(({ file, title }) => {
    const source = sources.get(file)
    if (source === undefined) return [`${id} names ${file}, which does not exist`]
    return runningTitles(source).includes(title) ? [] : [`${id} names "${title}", which ${file} does not run`]
  })
}

function aboutTitles(laws: readonly Law[], sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, source]) =>
    runningTitles(source).flatMap((title) =>
      [...title.matchAll(/\bL\d+\b/g)]
        .filter(
          ([id]) =>
            !laws.some((law) => law.id === id && law.tests.some((test) => test.file === file && test.title === title))
        )
        .map(([id]) => `${id} in SPEC.md does not name "${title}" of ${file}`)
    )
  )
}

// a title directly follows the opening parenthesis of `it(`, `test(`, or of the second call of `it.each(...)(`
function runningTitles(source: string): string[] {
  return [...source.matchAll(/(\b(?:it|test)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g)]
    .filter(([, call]) => !/\.(?:skip|todo|fails)\b/.test(call))
    .map(([, , , title]) => title.replaceAll(/\\(.)/g, '$1'))
}
