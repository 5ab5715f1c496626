import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ProseKind } from '../prose/read-prose.ts'
import { findProse, PROSE_RULES } from '../prose/rules.ts'

type Example = string | { readonly kind: ProseKind; readonly text: string }

const EXAMPLES: Readonly<Record<string, { readonly fires: readonly Example[]; readonly passes: readonly Example[] }>> =
  {
    'clause-as-subject': {
      fires: [
        'What is asked of a lease.',
        'whoever waits is told',
        'Sends it. What is stored stays.',
        { kind: 'markdown', text: '## What became' }
      ],
      passes: [
        'Request for a lease.',
        'What does a record cost?',
        'Says what it did.',
        { kind: 'string', text: 'What to do with a batch.' }
      ]
    },
    'most-least-name': {
      fires: [
        { kind: 'name', text: 'MOST_KEPT' },
        { kind: 'name', text: 'RESTART_MOST_MS' },
        { kind: 'name', text: 'LEAST' }
      ],
      passes: [
        { kind: 'name', text: 'MAX_KEPT' },
        { kind: 'name', text: 'ALMOST_FULL' },
        { kind: 'name', text: 'mostly' }
      ]
    },
    'absent-people': { fires: ['nobody is passed', 'for whoever reads'], passes: ['the caller reads'] },
    behind: {
      fires: ['position behind the value', 'goes on behind it'],
      passes: ['leaves nothing behind', 'the partition is behind', 'none falls behind the others', 'behind a proxy']
    },
    beside: { fires: ['beside the file'], passes: ['next to the file', 'besides that'] },
    anew: { fires: ['divided anew'], passes: ['a new list'] },
    mend: { fires: ['Mend the record.', 'no patience mends it'], passes: ['amends the commit'] },
    dear: { fires: ['views are dear'], passes: ['expensive', 'a dearth of keys'] },
    'per-cent': { fires: ['50 per cent'], passes: ['50 percent', 'per center'] },
    'so-many': {
      fires: ['waits for so many records'],
      passes: ['so many records that the heap is full', 'as many records']
    },
    'to-be-had': { fires: ['is not to be had'], passes: ['is available'] },
    'as-it-stands': { fires: ['the text as it stands'], passes: ['it stands alone'] },
    'go-on-from': { fires: ['goes on from there'], passes: ['goes on with the next'] },
    'let-go': { fires: ['lets go of it', 'what was let go by'], passes: ['lets it go on', 'a letter'] },
    'sign-of-life': { fires: ['no sign of life'], passes: ['a sign of load'] },
    purse: { fires: ['a purse for each range'], passes: ['a budget for each range'] },
    surroundings: { fires: ['what `surroundings` gives'], passes: ['surrounding text'] },
    truth: { fires: ['must be a truth'], passes: ['in truth', 'the truth'] },
    'a-text': { fires: ['must be a text'], passes: ['a textual form', 'the text'] },
    letters: {
      fires: ['why letters were not stored', 'the letter without its value'],
      passes: [
        'dead letters',
        'letters and digits',
        'other characters than letters, digits and underscores',
        'letter by letter',
        'another letter'
      ]
    },
    'become-of': {
      fires: ['what became of it', 'would become of a record'],
      passes: ['becomes a record', 'comes of age']
    },
    feelings: { fires: ['the lane that was hungry', 'beyond its patience'], passes: ['the lane that last had demand'] },
    bought: { fires: ['the RU/s that were bought'], passes: ['provisioned RU/s', 'brought'] },
    ink: { fires: ['a text in its ink'], passes: ['a link'] },
    'british-spelling': {
      fires: [
        'its behaviour',
        'recognises it',
        'was cancelled',
        'a neighbour',
        'analysed',
        'fulfils',
        'in the centre',
        'a licence'
      ],
      passes: [
        'its behavior',
        'recognizes it',
        'was canceled',
        'a neighbor',
        'analyzed',
        'two analyses',
        'raises it',
        'advises',
        'parameters',
        'controlled',
        'called'
      ]
    }
  }

describe.each(PROSE_RULES)('the rule $id', ({ id, kinds }) => {
  it('has examples', () => {
    expect(EXAMPLES).toHaveProperty(id)
    expect(EXAMPLES[id].fires.length * EXAMPLES[id].passes.length).toBeGreaterThan(0)
  })

  it.each(EXAMPLES[id]?.fires ?? [])('finds a mistake in %s', (example) => {
    expect(rulesFor(example)).toContain(id)
  })

  it.each(EXAMPLES[id]?.passes ?? [])('finds no mistake in %s', (example) => {
    expect(rulesFor(example)).not.toContain(id)
  })

  it('is right at least nine times in ten on the labeled sample', () => {
    const { random, found } = sample
    const fired = [...random, ...found].filter(({ kind, text }) =>
      findProse({ kind, text, line: 1 }).some(({ rule }) => rule === id)
    )
    const right = fired.filter(({ wrong }) => wrong.includes(id))
    expect(fired.length).toBeGreaterThan(0)
    expect({ right: right.length, fired: fired.length, precision: right.length / fired.length }).toEqual({
      right: right.length,
      fired: fired.length,
      precision: expect.toSatisfy((precision: number) => precision >= 0.9)
    })
    expect(kinds.length).toBeGreaterThan(0)
  })
})

it('the examples contain all rules, and no other names', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(PROSE_RULES.map(({ id }) => id).toSorted())
})

it('the rules find about a third of the unclear texts of a random sample, and none of its clear texts', () => {
  const fires = sample.random.map((piece) => ({ ...piece, fires: findProse({ ...piece, line: 1 }).length > 0 }))
  expect(fires.filter(({ isOdd, fires: found }) => found && !isOdd)).toEqual([])
  expect(fires.filter(({ isOdd }) => isOdd)).toHaveLength(43)
  expect(fires.filter(({ isOdd, fires: found }) => found && isOdd).length).toBeGreaterThanOrEqual(13)
})

interface Labelled {
  readonly kind: ProseKind
  readonly text: string
  readonly wrong: readonly string[]
  readonly isOdd?: boolean
}

const sample = JSON.parse(readFileSync(new URL('../prose/labeled-sample.json', import.meta.url), 'utf8')) as {
  readonly random: readonly Labelled[]
  readonly found: readonly Labelled[]
}

function rulesFor(example: Example): string[] {
  const { kind, text } = typeof example === 'string' ? { kind: 'comment' as const, text: example } : example
  return findProse({ kind, text, line: 1 }).map(({ rule }) => rule)
}
