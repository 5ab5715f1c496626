import { describe, expect, it } from 'vitest'
import { judge, lateDocuments, staleWrites } from '../../fault/sink/judge.ts'
import { parseScenario } from '../../fault/sink/read-scenarios.ts'
import type { Applied, ScenarioResult } from '../../fault/sink/run-scenario.ts'
import type { Expectation } from '../../fault/sink/scenario.ts'

const PLACE = { partition: 0, id: 'a' }

/** Five records of one partition: the last is poison. */
const GOOD: ScenarioResult = {
  produced: [
    { ...PLACE, mark: 1, kind: 'upsert', offset: 0 },
    { ...PLACE, mark: 2, kind: 'upsert', offset: 1 },
    { partition: 0, mark: 3, kind: 'upsert', id: 'b', offset: 2 },
    { partition: 0, mark: 4, kind: 'tombstone', id: 'b', offset: 3 },
    { partition: 0, mark: 5, kind: 'poison', id: 'poison-5', offset: 4 }
  ],
  applied: [written(1), written(2)],
  stored: [{ id: 'a', pk: 'a', mark: 2 }],
  letters: ['0/4', '0/4'],
  ends: new Map([[0, 5]]),
  committed: new Map([[0, 5]]),
  samples: [
    { committed: new Map([[0, 1]]), stored: new Map([['a', 1]]), letters: 0 },
    { committed: new Map([[0, 3]]), stored: new Map([['a', 2]]), letters: 0 },
    { committed: new Map([[0, 5]]), stored: new Map([['a', 2]]), letters: 2 }
  ],
  sinks: new Map([['first', { code: 0, said: 'assigned', assignments: 1 }]]),
  struck: 3
}

describe('the judge of sinks', () => {
  it('finds nothing wrong where nothing is', () => {
    expect(judge({}, GOOD)).toEqual([])
  })

  it.each<[string, Partial<ScenarioResult>, RegExp]>([
    ['a document that is lost', { stored: [] }, /a holds undefined instead of 2/],
    ['a document that is older', { stored: [{ id: 'a', pk: 'a', mark: 1 }] }, /a holds 1 instead of 2/],
    ['a document that was to be deleted', { stored: [...GOOD.stored, { id: 'b', pk: 'b', mark: 3 }] }, /b holds 3 instead of undefined/],
    ['a document under another key', { stored: [{ id: 'a', pk: 'x', mark: 2 }] }, /a has the key x/],
    ['a document that is doubled', { stored: [{ id: 'a', pk: 'x', mark: 1 }, ...GOOD.stored] }, /1 documents are doubled/],
    ['a document of nobody', { stored: [...GOOD.stored, { id: 'c', pk: 'c' }] }, /c was never produced/],
    ['poison without a copy', { letters: [] }, /poison at 0\/4 was not copied/],
    ['a copy of what is no poison', { letters: ['0/4', '0/1'] }, /0\/1 was copied and is no poison/],
    ['a position that stands still', { committed: new Map([[0, 4]]) }, /partition 0 is committed to 4 of 5/],
    [
      'what was committed too early',
      { samples: [{ committed: new Map([[0, 2]]), stored: new Map([['a', 1]]), letters: 0 }] },
      /a held 1 when 2 was committed/
    ],
    ['what was committed without its copy', { samples: [{ ...GOOD.samples[2], letters: 0 }] }, /0 copies were there when 1 records/],
    [
      'what was committed and not there',
      { samples: [{ committed: new Map([[0, 1]]), stored: new Map(), letters: 0 }] },
      /a held undefined when 1/
    ],
    ['an end that was not asked for', { sinks: sinksOf({ code: 1 }) }, /first ended with 1: assigned/],
    ['a write that comes too late', { applied: [written(1), written(2, 'second'), written(1)] }, /first wrote 1 after second had written 2/]
  ])('finds %s', (_, damage, complaint) => {
    expect(judge({}, { ...GOOD, ...damage }).join('\n')).toMatch(complaint)
  })

  it.each<[string, Expectation, RegExp]>([
    ['an end that did not come', { ends: { first: { code: 2, says: 'no topic' } } }, /first ended with 0 instead of 2 \(no topic\)/],
    ['words that were not said', { says: { first: 'hello' } }, /first never said "hello"/],
    ['words that were said', { saysNot: { first: 'assigned' } }, /first said "assigned"/],
    ['too many assignments', { mostAssignments: { first: 0 } }, /told its partitions 1 times, not 0/],
    ['a fault that nobody met', { leastStruck: 4 }, /only 3 requests met a fault/],
    ['that nothing was written again', { isReplayed: true }, /nothing was written a second time/]
  ])('finds %s', (_, expectation, complaint) => {
    expect(judge({ expect: expectation }, GOOD).join('\n')).toMatch(complaint)
  })

  it('finds what was written again where nothing may be', () => {
    const applied = [written(1), written(2), written(1), written(2)]

    expect(judge({ expect: { isReplayed: true } }, { ...GOOD, applied })).toEqual([])
    expect(judge({ expect: { isNeverReplayed: true } }, { ...GOOD, applied }).join('\n')).toMatch(
      /a: first wrote 1 when 2 was written already/
    )
  })

  it('leaves out what a sink wrote too late where that cannot be prevented, and nothing else', () => {
    const late = { ...GOOD, applied: [written(2, 'second'), written(1)], stored: [{ id: 'a', pk: 'a', mark: 1 }], samples: [] }

    expect([...lateDocuments(late.applied, 'first')]).toEqual(['a'])
    expect(judge({ expect: { lateFrom: 'first' } }, late)).toEqual([])
    expect(judge({ expect: { lateFrom: 'first' } }, { ...late, letters: [] })).toEqual(['poison at 0/4 was not copied'])
    expect(judge({ expect: { lateFrom: 'second' } }, late)).not.toEqual([])
  })
})

describe('a write that comes too late', () => {
  it.each<[string, readonly Applied[], number]>([
    ['is none where the next owner goes on from what was committed', [...first(1, 2, 3), ...second(2, 3, 4)], 0],
    ['is none where what was superseded is left out', [...first(1, 2, 3), ...second(1, 4)], 0],
    ['is none where the next owner ends before it has caught up', [...first(1, 2, 3), ...second(1), ...third(1, 4)], 0],
    ['is none where somebody begins where another still was ahead', [...first(3), ...second(4, 5), ...first(6)], 0],
    ['is one among those of the new owner', [...first(1, 2), ...second(3, 4), ...first(3), ...second(5)], 1],
    ['is one behind all others', [...first(1, 2), ...second(3, 4), ...first(3)], 1]
  ])('%s', (_, writes, count) => {
    expect(staleWrites(writes)).toHaveLength(count)
  })
})

describe('a file of a scenario', () => {
  it.each([
    ['no title', 'records: 3\n', /has no title/],
    ['a member that nobody reads', 'title: t\nfault: []\n', /a member fault, which nobody reads/],
    ['a happening that nobody reads', 'title: t\nhappenings: [{ at: 3, do: [] }]\n', /a member at, which nobody reads/],
    ['an expectation that nobody reads', 'title: t\nexpect: { end: {} }\n', /a member end, which nobody reads/]
  ])('is refused with %s', (_, text, complaint) => {
    expect(() => parseScenario('one.yaml', text)).toThrow(complaint)
  })
})

function written(mark: number, by: string = 'first'): Applied {
  return { document: 'a', by, mark }
}

function first(...marks: readonly number[]): readonly Applied[] {
  return marks.map((mark) => written(mark))
}

function second(...marks: readonly number[]): readonly Applied[] {
  return marks.map((mark) => written(mark, 'second'))
}

function third(...marks: readonly number[]): readonly Applied[] {
  return marks.map((mark) => written(mark, 'third'))
}

function sinksOf({ code }: { readonly code: number }): ScenarioResult['sinks'] {
  return new Map([['first', { code, said: 'assigned', assignments: 1 }]])
}
