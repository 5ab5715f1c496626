import { describe, expect, it } from 'vitest'
import { type Applied, toApplied } from './applied-writes.ts'
import { judge } from './judge.ts'
import type { SinkCommit } from './ownership.ts'
import type { ScenarioResult } from './run-scenario.ts'
import type { Expectation } from './scenario.ts'
import { commit, GOOD, sinksOf, written, wrongWith } from './judged-runs.ts'

describe('the judge of scenarios for sinks', () => {
  it('reports no violation in a good run', () => {
    expect(judge({}, GOOD)).toEqual([])
  })

  it.each<[string, Partial<ScenarioResult>, RegExp]>([
    ['a lost document', { stored: [] }, /a holds undefined instead of 2/],
    ['an older document', { stored: [{ id: 'a', pk: 'a', mark: 1 }] }, /a holds 1 instead of 2/],
    [
      'a document that should be deleted',
      { stored: [...GOOD.stored, { id: 'b', pk: 'b', mark: 3 }] },
      /b holds 3 instead of undefined/
    ],
    ['a document under another key', { stored: [{ id: 'a', pk: 'x', mark: 2 }] }, /a has the key x/],
    [
      'a second document with the same id',
      { stored: [{ id: 'a', pk: 'x', mark: 1 }, ...GOOD.stored] },
      /1 documents are stored twice/
    ],
    ['a document that was never produced', { stored: [...GOOD.stored, { id: 'c', pk: 'c' }] }, /c was never produced/],
    ['an invalid record without a copy', { deadLetters: [] }, /the invalid record at 0\/4 was not copied/],
    ['a copy of a valid record', { deadLetters: ['0/4', '0/1'] }, /0\/1 was copied and is a valid record/],
    [
      'a partition that is not committed to its end',
      { committed: new Map([[0, 4]]) },
      /partition 0 is committed to 4 of 5/
    ],
    [
      'an offset that was committed too early',
      {
        samples: [{ committed: new Map([[0, 2]]), stored: new Map([['a', 1]]), deadLetters: 0, fromMs: 18, atMs: 20 }]
      },
      /a held 1 when 2 was committed: a: first wrote 1 \(activity first-1, applied 1 ms after end\(\)\)/
    ],
    [
      'an invalid record that was committed without its copy',
      { samples: [{ ...GOOD.samples[2], deadLetters: 0 }] },
      /there were 0 copies when 1 invalid records/
    ],
    [
      'a record that was committed and not stored',
      { samples: [{ committed: new Map([[0, 1]]), stored: new Map(), deadLetters: 0, fromMs: 18, atMs: 20 }] },
      /a held undefined when 1/
    ],
    ['an unexpected end of a sink', { sinks: sinksOf({ code: 1 }) }, /first ended with 1: assigned/],
    [
      'a commit that is missing in the log',
      { commits: [commit(4, 0)] },
      /the commit of 5 of partition 0 is not in the log/
    ],
    [
      'an offset that decreases',
      { commits: [commit(5, 100), commit(3, 200)] },
      /first committed 3 of partition 0 after first had committed 5/
    ]
  ])('reports %s', (_, damage, complaint) => {
    expect(judge({}, { ...GOOD, ...damage }).join('\n')).toMatch(complaint)
  })

  it.each<[string, Expectation, RegExp]>([
    [
      'a missing end of a sink',
      { ends: { first: { code: 2, prints: 'no topic' } } },
      /first ended with 0 instead of 2 \(no topic\)/
    ],
    ['missing output', { prints: { first: 'hello' } }, /first never printed "hello"/],
    ['forbidden output', { neverPrints: { first: 'assigned' } }, /first printed "assigned"/],
    ['too many assignments', { maxAssignments: { first: 0 } }, /had 1 assignments, with a limit of 0/],
    ['a fault that hit too few requests', { minStruck: 4 }, /only 3 requests met a fault/],
    ['a missing replay', { isReplayed: true }, /nothing was written a second time/]
  ])('reports %s', (_, expectation, complaint) => {
    expect(judge({ expect: expectation }, GOOD).join('\n')).toMatch(complaint)
  })

  it('reports that no other sink took over from a stopped sink', () => {
    const expectation = { expect: { takenFrom: 'first' } }
    const taken = [commit(0, 0), commit(0, 60, 'second'), commit(5, 100, 'second')]
    const applied = [written(1, 10), written(2, 20)]

    expect(judge(expectation, GOOD)).toEqual(['first was not stopped'])
    expect(judge(expectation, { ...GOOD, sinks: sinksOf({ stop: { about: 5, atMs: 50 } }) })).toEqual([
      'no other sink claimed a partition that first owned when it was stopped'
    ])
    expect(
      judge(expectation, { ...GOOD, applied, sinks: sinksOf({ stop: { about: 5, atMs: 50 } }), commits: taken })
    ).toEqual([])
  })

  it('reports a replay if the scenario allows no replay', () => {
    const applied = [written(1, 10), written(2, 20), written(1, 40), written(2, 50)]
    const replayed = { ...GOOD, applied, commits: [commit(0, 0), commit(0, 30), commit(5, 100)] }

    expect(judge({ expect: { isReplayed: true } }, replayed)).toEqual([])
    expect(judge({ expect: { isNeverReplayed: true } }, replayed).join('\n')).toMatch(/a: first wrote 1 after 2/)
  })
})

describe('a write of an older version than the document has', () => {
  it.each<[string, readonly Applied[], readonly SinkCommit[]]>([
    [
      'is a replay if the next owner begins at the committed offset',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(0, 30, 'second')]
    ],
    [
      'is a replay if the same owner claims again',
      [written(1, 10), written(2, 20), written(1, 40), written(2, 50)],
      [commit(0, 0), commit(0, 30)]
    ],
    [
      'is a replay if the next owner ends before it has caught up',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(1, 60, 'third'), written(2, 70, 'third')],
      [commit(0, 0), commit(0, 30, 'second'), commit(0, 50, 'third')]
    ],
    [
      'is a replay after a write of the former owner that was applied after the claim and before all writes of the next owner',
      [written(2, 35, 'first', 25), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(0, 30, 'second')]
    ]
  ])('%s', (_, applied, commits) => {
    expect(wrongWith({ applied, commits })).toEqual([])
  })

  it.each<[string, readonly Applied[], readonly SinkCommit[], RegExp]>([
    [
      'is wrong if the records before it were committed when its sender began',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(2, 25), commit(2, 30, 'second')],
      /second wrote 1 .* its record is at offset 0 of partition 0, and 2 was committed\n.* after first had written 2, which no replay/
    ],
    [
      'is wrong without a claim, even if the sender then continues with newer values',
      [written(1, 10), written(2, 20), written(1, 40), written(2, 50)],
      [commit(0, 0)],
      /first wrote 1 .* after first had written 2, which no replay from a commit explains/
    ],
    [
      'is wrong if its sender lost the partition before it sent the write',
      [written(1, 10), written(2, 40, 'second'), written(1, 50), written(2, 60)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 .* sent after second had claimed partition 0\n.* after second had written 2, which no replay/
    ],
    [
      'is wrong if the claim was made by another sink',
      [written(1, 10), written(2, 20), written(1, 50)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 .* sent after second had claimed partition 0\n.* after first had written 2, which no replay/
    ],
    [
      'is wrong if its partition moved while the write was in flight',
      [written(2, 40, 'second'), written(1, 50, 'first', 20)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 \(activity first-1, applied 30 ms after end\(\)\) after second had written 2/
    ],
    [
      'is wrong if an owner that replays goes back a second time',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second'), written(1, 60, 'second')],
      [commit(0, 0), commit(0, 30, 'second')],
      /second wrote 1 .* after second had written 2, which no replay/
    ]
  ])('%s', (_, applied, commits, complaint) => {
    expect(wrongWith({ applied, commits }).join('\n')).toMatch(complaint)
  })
})

describe('a write of a committed record', () => {
  it('is wrong if it is repeated, even if the document keeps its value', () => {
    expect(
      wrongWith({ applied: [written(2, 10), written(2, 50)], commits: [commit(0, 0), commit(3, 30)] }).join('\n')
    ).toMatch(/first wrote 2 .* its record is at offset 1 of partition 0, and 3 was committed/)
  })
})

describe('the judge', () => {
  it('does not check the order of deletes, but reports a late delete that the samples and the store show', () => {
    const applied = [written(2, 40, 'second'), { ...written(1, 50, 'first', 20), mark: null }]
    const samples = [
      { committed: new Map([[0, 3]]), stored: new Map<string, number>(), deadLetters: 0, fromMs: 58, atMs: 60 }
    ]
    const result = {
      ...GOOD,
      applied,
      samples,
      stored: [],
      commits: [commit(0, 0), commit(0, 30, 'second'), commit(5, 100, 'second')]
    }

    expect(judge({}, result).join('\n')).toMatch(
      /a held undefined when 2 was committed: a: first wrote null .*\n.*a holds undefined instead of 2/
    )
  })

  it('accepts a missing document that a later tombstone has deleted, but reports it as lost without the tombstone', () => {
    const samples = [
      { committed: new Map([[0, 3]]), stored: new Map([['a', 2]]), deadLetters: 0, fromMs: 38, atMs: 40 }
    ]
    const withoutTombstone = GOOD.produced.filter(({ kind }) => kind !== 'tombstone')

    expect(judge({}, { ...GOOD, samples })).toEqual([])
    expect(judge({}, { ...GOOD, samples, produced: withoutTombstone }).join('\n')).toMatch(
      /b held undefined when 3 was committed/
    )
  })

  it('does not check the store of a deleted topic, but checks its samples and copies', () => {
    const gone = { expect: { isTopicGone: true } }

    expect(judge(gone, { ...GOOD, stored: [] })).toEqual([])
    expect(judge(gone, { ...GOOD, deadLetters: [] })).toEqual(['the invalid record at 0/4 was not copied'])
    expect(judge(gone, { ...GOOD, samples: [{ ...GOOD.samples[1], stored: new Map() }] }).join('\n')).toMatch(
      /a held undefined when 2/
    )
  })

  it('accepts a single failed sample, but reports if all samples failed', () => {
    expect(judge({}, { ...GOOD, samples: GOOD.samples.slice(1) })).toEqual([])
    expect(judge({}, { ...GOOD, samples: [] })).toEqual(['no sample could be taken'])
  })

  it('does not check the exit code of a sink that the scenario killed, but reports a sink that another signal ended', () => {
    expect(judge({}, { ...GOOD, sinks: sinksOf({ code: null, wasKilled: true }) })).toEqual([])
    expect(judge({}, { ...GOOD, sinks: sinksOf({ code: null }) })).toEqual(['first ended with null: assigned'])
  })

  it('does not check the mark of a write whose sink was killed before it noted the request', () => {
    const write = { activityId: 'bba8dfcc-0951-4dc9-b0a0-000000000011', id: 'p3-d7', atMs: 50 }
    const requests = new Map([['bba8dfcc-0951-4dc9-b0a0-000000000010', { endMs: 40, writes: [['p3-d7', 1]] as const }]])
    const notes = { requests, identity: undefined, stop: undefined }

    expect(toApplied([write], new Map([['first', { ...notes, wasKilled: true }]]))).toEqual([
      { document: 'p3-d7', partition: 3, by: 'first', mark: null, activity: write.activityId, endMs: 50, appliedMs: 50 }
    ])
    expect(() => toApplied([write], new Map([['first', { ...notes, wasKilled: false }]]))).toThrow(
      /No sink has noted the write/
    )
  })

  it('does not check the offset of a record that compaction removed, but checks its order', () => {
    const produced = GOOD.produced.filter(({ mark }) => mark !== 1)
    const applied = [written(1, 10), written(2, 20), written(1, 40)]

    expect(judge({}, { ...GOOD, produced }).join('\n')).toBe('')
    expect(judge({}, { ...GOOD, produced, applied }).join('\n')).toMatch(
      /first wrote 1 .* which no replay from a commit explains/
    )
  })

  it('excuses no late request and no replay of a sink with `newerBy`', () => {
    // a replay from a commit, and a late request that its sink has named
    const commits = [commit(0, 0), commit(0, 35, 'second'), commit(5, 100, 'second')]
    const applied = [written(1, 10), written(2, 30), written(1, 40, 'second'), written(2, 50, 'second')]
    const result = { ...GOOD, commits, applied, sinks: new Map([...GOOD.sinks, ...sinksOf({})]) }

    expect(judge({ isNewest: true }, GOOD)).toEqual([])
    expect(judge({ isNewest: true }, result)).toContain('a: second wrote 1 after 2')
  })
})
