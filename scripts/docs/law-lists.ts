import { testSources } from '../../test/meta/law-sources.ts'
import { readLaws, testsOfLaw } from '../../test/meta/laws.ts'
import { replaceBlock } from './replace-block.ts'

/** SPEC.md with the tests of each law, by file. */
export function lawLists(spec: string): string {
  const sources = testSources()
  return readLaws(spec).reduce((page, { id }) => replaceBlock(page, `tests-of-${id}`, listOfTests(id, sources)), spec)
}

function listOfTests(id: string, sources: ReadonlyMap<string, string>): string {
  const tests = testsOfLaw(id, sources)
  const lines = tests.flatMap(({ file, name }, index) => [
    ...(file === tests[index - 1]?.file ? [] : [`- \`${file}\``]),
    `  - ${name}`
  ])
  return `${lines.join('\n')}\n`
}
