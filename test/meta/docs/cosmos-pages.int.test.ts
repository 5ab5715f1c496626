import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { examplesOf, promisedOutput } from './examples-of.ts'
import { runExamples } from './run-examples.ts'

const PAGES = ['docs/reader.md', 'docs/writer.md']
const scripts = PAGES.flatMap((page) =>
  examplesOf(page, readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'))
).filter(({ language, note }) => language === 'js' && !note.startsWith('skip'))

describe('the examples of the pages on Cosmos DB', () => {
  it('print the output that the pages show', async () => {
    const printed = await runExamples(scripts)

    const outcome = scripts.map(({ page, line }, index) => ({ at: `${page}:${line}`, ...printed[index] }))
    expect(outcome.length).toBeGreaterThan(0)
    expect(outcome).toEqual(
      scripts.map(({ page, line, text }) => ({ at: `${page}:${line}`, lines: promisedOutput(text), error: '' }))
    )
  })
})
