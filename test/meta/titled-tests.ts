export interface TitledTest {
  /** Titles of the enclosing describes and of the test, without the ids of laws, in the form "describe > title". */
  readonly name: string
  /** Ids of the laws that the test checks: those in its title, and those in the comment above it. */
  readonly laws: readonly string[]
  /** Whether a comment above the test names its laws: `// checks L1, L2`. */
  readonly hasComment: boolean
}

interface Describe {
  readonly indent: number
  readonly title: string
}

// A title directly follows the opening parenthesis of `it(`, `test(` or `describe(`, or of the second call of
// `it.each(...)(`. A line with nothing but `})` ends a describe, a test or another call.
const CALL_OR_END =
  /(?<call>\b(?:it|test|describe)(?:\.\w+)*|\)(?:\.concurrent)?)\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>|^ *(?<end>\}\))$/gm

/**
 * Tests of a file that run, in their order. The formatter indents each call inside of a describe further than the
 * describe itself, so the indentation shows which describes enclose a test.
 */
export function titledTests(source: string): TitledTest[] {
  const tests: TitledTest[] = []
  let describes: Describe[] = []
  for (const { index, groups } of source.matchAll(CALL_OR_END)) {
    const indent = indentOf(lineAt(source, index))
    if (groups?.['end'] !== undefined) {
      describes = describes.filter((outer) => outer.indent !== indent)
      continue
    }
    const start = startOfCall(source, index)
    const title = (groups?.['title'] ?? '').replaceAll(/\\(.)/g, '$1')
    describes = describes.filter((outer) => outer.indent < indent)
    if (/^ *describe\b/.test(start.line)) describes.push({ indent, title })
    else if (!/^ *(?:it|test)(?:\.\w+)*\.(?:skip|todo|fails)\b/.test(start.line)) {
      const commented = lawsOfComment(start.lineBefore)
      const name = readable([...describes.map((outer) => outer.title), title])
      tests.push({ name, laws: [...(title.match(/\bL\d+\b/g) ?? []), ...commented], hasComment: commented.length > 0 })
    }
  }
  return tests
}

/** Number of comments in a file that name laws; each is meant to be directly above a test. */
export function countLawComments(source: string): number {
  return source.split('\n').filter((line) => /^ *\/\/ checks L\d/.test(line)).length
}

function lawsOfComment(line: string): string[] {
  return /^ *\/\/ checks (L\d+(?:, L\d+)*)$/.exec(line)?.[1]?.split(', ') ?? []
}

// the title of `it.each([...])(` can be many lines after the line that begins with `it.each(`
function startOfCall(source: string, index: number): { line: string; lineBefore: string } {
  const lines = source.slice(0, index).split('\n')
  lines[lines.length - 1] = lineAt(source, index)
  const indent = indentOf(lines.at(-1) ?? '')
  const at = lines.findLastIndex((line) => indentOf(line) === indent && /^ *[^\s)\]}]/.test(line))
  return { line: lines[at] ?? '', lineBefore: lines[at - 1] ?? '' }
}

function lineAt(source: string, index: number): string {
  return /^.*/.exec(source.slice(source.lastIndexOf('\n', index - 1) + 1))?.[0] ?? ''
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

// The values of placeholders are known only when the test runs. A placeholder that follows a word without a space,
// or that contains another template, says why the tests are skipped.
function readable(titles: readonly string[]): string {
  return titles
    .map((title) => title.replace(/^(?:L\d+ )+/, '').replace(/(?<=\w)\$\{[^}]*\}$/, ''))
    .map((title) => title.replaceAll(/\$\{[^}]*\}|\$[\w.]+|%[sidfjo]/g, '…'))
    .map((title) => title.replace(/ ?\$\{[^}]*$/, ''))
    .map((title) => (/\w/.test(title) ? title.replaceAll('%%', '%') : 'each case'))
    .join(' > ')
}
