import { readFileSync } from 'node:fs'

import { createPlan, PlanError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'

import { type Example, examplesOf, promisedOutput } from './examples-of.ts'
import { runExamples } from './run-examples.ts'

const PAGES = ['README.md', 'docs/key-plans.md', 'docs/reading-back.md', 'docs/partition-hash.md']
const examples = PAGES.flatMap((page) =>
  examplesOf(page, readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'))
)
const scripts = examples.filter(
  ({ language, note }) => (language === 'js' || language === 'ts') && !note.startsWith('skip')
)
const plans = examples.filter(
  ({ language, text }) => (language === 'json' || language === 'jsonc') && /"into"/.test(text)
)

describe('the examples in the documentation', () => {
  it('are found by this test', () => {
    expect(scripts.length).toBeGreaterThan(5)
    expect(plans.length).toBeGreaterThan(4)
  })

  it('print the output that the pages show', async () => {
    const printed = await runExamples(scripts)

    const outcome = scripts.map(({ page, line }, index) => ({ at: `${page}:${line}`, ...printed[index] }))
    expect(outcome).toEqual(
      scripts.map(({ page, line, text }) => ({ at: `${page}:${line}`, lines: promisedOutput(text), error: '' }))
    )
  })

  it.each(plans.map((example) => [`${example.page}:${example.line}`, example] as const))(
    'contain a valid plan at %s',
    (_place, example) => {
      expect(mistakesOf(example)).toEqual([])
    }
  )
})

function mistakesOf({ text }: Example): readonly unknown[] {
  try {
    createPlan(JSON.parse(text.replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '')))
  } catch (error) {
    if (error instanceof PlanError) return error.mistakes
    throw error
  }
  return []
}
