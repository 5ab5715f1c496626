import { describe, expect, it } from 'vitest'
import { findRises, lowerBaseline } from '../prose/baseline.ts'
import { readDiff } from '../prose/changed-lines.ts'
import { areaOf } from '../prose/measure-prose.ts'
import { readMarkdown, readSource } from '../prose/read-prose.ts'

describe('the prose of a source file', () => {
  it('contains its comments, each with its first line number', () => {
    const text = '/** One. */\nconst a = 1 // two\n// three\n// four\n\n/*\n * five\n * six\n */'
    expect(readSource(text).filter(({ kind }) => kind === 'comment')).toEqual([
      { kind: 'comment', line: 1, text: 'One.' },
      { kind: 'comment', line: 2, text: 'two\nthree\nfour' },
      { kind: 'comment', line: 6, text: 'five\nsix' }
    ])
  })

  it('contains its strings and the parts of its templates, but no strings of one word', () => {
    expect(proseOf("import { a } from './anew.ts'\nconst b = `one ${a('two three')} four ${{ c: 1 }} five`")).toEqual([
      'string: one ',
      'string: two three',
      'string:  four ',
      'string:  five'
    ])
  })

  it('contains the titles of its tests, also with `each`', () => {
    expect(
      proseOf(
        "describe('one', () => {\n  it.each([[1], [2]])('two', () => undefined)\n  it.skip('three', () => call('x y'))\n})"
      )
    ).toEqual(['title: one', 'title: two', 'title: three', 'string: x y'])
  })

  it('distinguishes comments, regular expressions and divisions', () => {
    expect(proseOf("const a = /[/]\\/'/.test(b) // one\nconst c = (d + e) / f / 'g h'.length // two")).toEqual([
      'comment: one',
      'string: g h',
      'comment: two'
    ])
  })
})

describe('the prose of a Markdown file', () => {
  it('does not contain code and the addresses of links', () => {
    const text = '# One\n\n```ts\nbehind\n```\n\n    behind\n\ntwo `behind` [three](behind.md)\n'
    expect(readMarkdown(text)).toEqual([
      { kind: 'markdown', line: 1, text: '# One' },
      { kind: 'markdown', line: 9, text: 'two ` [three]' }
    ])
  })
})

describe('the baseline of findings', () => {
  const baseline = { 'packages/a': { behind: 3, beside: 1 }, connector: { behind: 2 } }

  it('allows counts that are equal or lower', () => {
    expect(findRises(baseline, baseline)).toEqual([])
    expect(findRises({ 'packages/a': { behind: 2 } }, baseline)).toEqual([])
  })

  it('does not allow more findings of a rule in an area, even if other rules and areas have fewer', () => {
    expect(findRises({ 'packages/a': { behind: 4 } }, baseline)).toEqual([
      { area: 'packages/a', rule: 'behind', count: 4, limit: 3 }
    ])
    expect(findRises({ connector: { anew: 1 } }, baseline)).toEqual([
      { area: 'connector', rule: 'anew', count: 1, limit: 0 }
    ])
  })

  it('allows a new area as many findings as other areas have lost, and no more', () => {
    const moved = { 'packages/a': { behind: 1, beside: 1 }, connector: { behind: 2 }, 'packages/b': { behind: 2 } }
    expect(findRises(moved, baseline)).toEqual([])
    expect(findRises({ ...moved, 'packages/b': { behind: 3 } }, baseline)).toEqual([
      { area: 'packages/b', rule: 'behind', count: 3, limit: 2 }
    ])
    expect(lowerBaseline({ ...moved, 'packages/b': { behind: 3 } }, baseline)).toEqual(moved)
  })

  it('is lowered to the counts of the findings, and is never raised', () => {
    expect(lowerBaseline({ 'packages/a': { behind: 9, anew: 1 } }, baseline)).toEqual({ 'packages/a': { behind: 3 } })
  })

  it('has counts by package or top-level folder', () => {
    expect(['packages/core/src/a.ts', 'connector/test/b.ts', 'docs/sink.md', 'README.md'].map(areaOf)).toEqual([
      'packages/core',
      'connector',
      'docs',
      '.'
    ])
  })
})

it('readDiff returns the numbers of the added lines of each file in a diff', () => {
  const diff =
    '--- a.ts\n+++ a.ts\n@@ -1,2 +3 @@\n+x\n@@ -9,0 +12,2 @@\n+y\n+z\n--- b.ts\n+++ b.ts\n@@ -4 +4,0 @@\n-w\n'
  expect([...readDiff(diff)].map(([path, lines]) => [path, [...lines]])).toEqual([
    ['a.ts', [3, 12, 13]],
    ['b.ts', []]
  ])
})

function proseOf(text: string): string[] {
  return readSource(text)
    .filter(({ kind }) => kind !== 'name')
    .map(({ kind, text: words }) => `${kind}: ${words}`)
}
