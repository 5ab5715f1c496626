import { describe, expect, it } from 'vitest'
import { type Applied, toApplied } from './applied-writes.ts'
import { parseCommit, partitionOf } from './commit-log.ts'
import { countLateRequests, judge } from './judge.ts'
import { countedAsLate, namedAsLate, NOTHING_LATE } from './late-requests.ts'
import type { SinkCommit } from './ownership.ts'
import { parseScenario } from './read-scenarios.ts'
import type { ScenarioResult, SinkResult } from './run-scenario.ts'
import type { Expectation } from './scenario.ts'

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
  applied: [written(1, 10), written(2, 30)],
  stored: [{ id: 'a', pk: 'a', mark: 2 }],
  letters: ['0/4', '0/4'],
  ends: new Map([[0, 5]]),
  committed: new Map([[0, 5]]),
  commits: [commit(0, 0), commit(5, 100)],
  samples: [
    { committed: new Map([[0, 1]]), stored: new Map([['a', 1]]), letters: 0, fromMs: 18, atMs: 20 },
    { committed: new Map([[0, 3]]), stored: new Map([['a', 2]]), letters: 0, fromMs: 38, atMs: 40 },
    { committed: new Map([[0, 5]]), stored: new Map([['a', 2]]), letters: 2, fromMs: 108, atMs: 110 }
  ],
  sinks: sinksOf({ code: 0 }),
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
      { samples: [{ committed: new Map([[0, 2]]), stored: new Map([['a', 1]]), letters: 0, fromMs: 18, atMs: 20 }] },
      /a held 1 when 2 was committed: a: first wrote 1 \(activity first-1, applied 1 ms after end\(\)\)/
    ],
    ['what was committed without its copy', { samples: [{ ...GOOD.samples[2], letters: 0 }] }, /0 copies were there when 1 records/],
    [
      'what was committed and not there',
      { samples: [{ committed: new Map([[0, 1]]), stored: new Map(), letters: 0, fromMs: 18, atMs: 20 }] },
      /a held undefined when 1/
    ],
    ['an end that was not asked for', { sinks: sinksOf({ code: 1 }) }, /first ended with 1: assigned/],
    ['a commit that its log does not have', { commits: [commit(4, 0)] }, /the commit of 5 of partition 0 is not in the log/],
    [
      'an offset that goes back',
      { commits: [commit(5, 100), commit(3, 200)] },
      /first committed 3 of partition 0 after first had committed 5/
    ]
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

  it('finds that no other sink took over from a stopped one', () => {
    const expectation = { expect: { takenFrom: 'first' } }
    const taken = [commit(0, 0), commit(0, 60, 'second'), commit(5, 100, 'second')]
    const applied = [written(1, 10), written(2, 20)]

    expect(judge(expectation, GOOD)).toEqual(['first was not stopped'])
    expect(judge(expectation, { ...GOOD, sinks: sinksOf({ stop: { about: 5, atMs: 50 } }) })).toEqual([
      'nobody claimed what first had when it was stopped'
    ])
    expect(judge(expectation, { ...GOOD, applied, sinks: sinksOf({ stop: { about: 5, atMs: 50 } }), commits: taken })).toEqual([])
  })

  it('finds what was written again where nothing may be', () => {
    const applied = [written(1, 10), written(2, 20), written(1, 40), written(2, 50)]
    const replayed = { ...GOOD, applied, commits: [commit(0, 0), commit(0, 30), commit(5, 100)] }

    expect(judge({ expect: { isReplayed: true } }, replayed)).toEqual([])
    expect(judge({ expect: { isNeverReplayed: true } }, replayed).join('\n')).toMatch(/a: first wrote 1 when 2 was written already/)
  })
})

describe('a write that goes back', () => {
  it.each<[string, readonly Applied[], readonly SinkCommit[]]>([
    [
      'is a replay where the next owner begins at the offset that was committed',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(0, 30, 'second')]
    ],
    [
      'is a replay where the same owner claims again',
      [written(1, 10), written(2, 20), written(1, 40), written(2, 50)],
      [commit(0, 0), commit(0, 30)]
    ],
    [
      'is a replay where the next owner ends before it has caught up',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(1, 60, 'third'), written(2, 70, 'third')],
      [commit(0, 0), commit(0, 30, 'second'), commit(0, 50, 'third')]
    ],
    [
      'is a replay after a write of the former owner that was applied after the claim and before all writes of the next',
      [written(2, 35, 'first', 25), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(0, 30, 'second')]
    ]
  ])('%s', (_, applied, commits) => {
    expect(wrongWith({ applied, commits })).toEqual([])
  })

  it.each<[string, readonly Applied[], readonly SinkCommit[], RegExp]>([
    [
      'is wrong where the records before it were committed when its sender began',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second')],
      [commit(0, 0), commit(2, 25), commit(2, 30, 'second')],
      /second wrote 1 .* its record is at offset 0 of partition 0, and 2 was committed\n.* after first had written 2, which no replay/
    ],
    [
      'is wrong without a claim, also where the sender then goes on to newer values',
      [written(1, 10), written(2, 20), written(1, 40), written(2, 50)],
      [commit(0, 0)],
      /first wrote 1 .* after first had written 2, which no replay from a commit explains/
    ],
    [
      'is wrong where its sender lost the partition before it sent it',
      [written(1, 10), written(2, 40, 'second'), written(1, 50), written(2, 60)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 .* sent after second had claimed partition 0\n.* after second had written 2, which no replay/
    ],
    [
      'is wrong where the claim is that of another sink',
      [written(1, 10), written(2, 20), written(1, 50)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 .* sent after second had claimed partition 0\n.* after first had written 2, which no replay/
    ],
    [
      'is wrong where its partition moved while it was on its way',
      [written(2, 40, 'second'), written(1, 50, 'first', 20)],
      [commit(0, 0), commit(0, 30, 'second')],
      /first wrote 1 \(activity first-1, applied 30 ms after end\(\)\) after second had written 2/
    ],
    [
      'is wrong where an owner that replays goes back a second time',
      [written(1, 10), written(2, 20), written(1, 40, 'second'), written(2, 50, 'second'), written(1, 60, 'second')],
      [commit(0, 0), commit(0, 30, 'second')],
      /second wrote 1 .* after second had written 2, which no replay/
    ]
  ])('%s', (_, applied, commits, complaint) => {
    expect(wrongWith({ applied, commits }).join('\n')).toMatch(complaint)
  })
})

describe('a write of a committed record', () => {
  it('is wrong also where the document keeps its value', () => {
    expect(wrongWith({ applied: [written(2, 10), written(2, 50)], commits: [commit(0, 0), commit(3, 30)] }).join('\n')).toMatch(
      /first wrote 2 .* its record is at offset 1 of partition 0, and 3 was committed/
    )
  })
})

describe('a late request', () => {
  const LATE = {
    ...GOOD,
    applied: [written(2, 40, 'second'), written(1, 50, 'first', 20)],
    commits: [commit(0, 0), commit(0, 30, 'second'), commit(5, 100, 'second')],
    stored: [{ id: 'a', pk: 'a', mark: 1 }],
    samples: [{ committed: new Map([[0, 5]]), stored: new Map([['a', 1]]), letters: 2, fromMs: 108, atMs: 110 }]
  }
  const named = sinksOf({ late: { named: new Map([['first-1', new Set([0])]]), counted: 1 } })

  it('is wrong in the order, in the samples and in the store where its sink does not name it', () => {
    expect(judge({}, LATE).join('\n')).toMatch(
      /first wrote 1 .*\n.*a held 1 when 2 was committed: .*applied 30 ms.*\n.*a holds 1 instead of 2/
    )
  })

  it('is forgiven where its sink names it by activity id and partition, and counts it', () => {
    expect(judge({}, { ...LATE, sinks: named })).toEqual([])
    expect(countLateRequests({}, { ...LATE, sinks: named })).toBe(1)
  })

  it('is forgiven where it is a delete', () => {
    const applied = [written(2, 40, 'second'), { ...written(1, 50, 'first', 20), mark: null }]
    const samples = [{ ...LATE.samples[0], stored: new Map<string, number>() }]

    expect(judge({}, { ...LATE, applied, samples, stored: [], sinks: named })).toEqual([])
  })

  it.each<[string, ScenarioResult['sinks'], RegExp]>([
    ['another request', sinksOf({ late: { named: new Map([['first-9', new Set([0])]]), counted: 1 } }), /a holds 1 instead of 2/],
    ['another partition', sinksOf({ late: { named: new Map([['first-1', new Set([3])]]), counted: 1 } }), /a holds 1 instead of 2/],
    ['it without counting', sinksOf({ late: { named: new Map([['first-1', new Set([0])]]), counted: 0 } }), /named 1 late .* counted 0/]
  ])('is wrong where its sink names %s', (_, sinks, complaint) => {
    expect(judge({}, { ...LATE, sinks }).join('\n')).toMatch(complaint)
  })

  it('is not what a sink names that sent after it had lost the partition, or still owns it', () => {
    const sentAfter = { ...LATE, applied: [written(2, 40, 'second'), written(1, 50)], sinks: named }
    const owned = { ...LATE, commits: [commit(0, 0), commit(5, 100)], applied: [written(2, 40), written(1, 50, 'first', 20)], sinks: named }

    const claimedAgain = { ...owned, commits: [commit(0, 0), commit(0, 45), commit(5, 100)] }
    const movedLater = { ...owned, commits: [commit(0, 0), commit(0, 55, 'second'), commit(5, 100, 'second')] }

    expect(judge({}, claimedAgain).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
    expect(judge({}, movedLater).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
    expect(judge({}, sentAfter).join('\n')).toMatch(/first wrote 1 .* sent after second had claimed/)
    expect(judge({}, owned).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
  })

  it('excuses its document only until the next write, and no other document', () => {
    const healed = { ...LATE, applied: [...LATE.applied, written(2, 60, 'second')], sinks: named }

    expect(judge({}, healed).join('\n')).toMatch(/a holds 1 instead of 2/)
    expect(judge({}, { ...LATE, sinks: named, letters: [] })).toEqual(['poison at 0/4 was not copied'])
  })

  it('is forgiven without a word where the scenario says that its sink was killed, and only from that sink', () => {
    expect(judge({ expect: { lateFrom: 'first' } }, LATE)).toEqual([])
    expect(judge({ expect: { lateFrom: 'second' } }, LATE)).not.toEqual([])
  })

  it('is missed where a sink was stopped in a request and did not name it', () => {
    const stop = { about: 'first-1', atMs: 30 }
    const { late } = named.get('first')!

    expect(judge({ expect: { namesLate: 'first' } }, { ...LATE, sinks: sinksOf({ stop, late }) })).toEqual([])
    expect(judge({ expect: { namesLate: 'first' } }, { ...GOOD, sinks: sinksOf({ stop }) })).toEqual([
      'first did not name request first-1, in which it was stopped, as late'
    ])
    expect(judge({ expect: { namesLate: 'first' } }, GOOD)).toEqual(['first was not stopped'])
  })

  it('is read from the log and from the metrics', () => {
    expect(
      namedAsLate(['late request', logLine({ activityId: 'x', partition: 1 }), logLine({ activityId: 'x', partition: 2 }), '{}'].join('\n'))
    ).toEqual(new Map([['x', new Set([1, 2])]]))
    expect(
      countedAsLate(
        '# TYPE keystamp_sink_late_requests_total counter\nkeystamp_sink_late_requests_total{sink="a"} 2\nkeystamp_sink_late_requests_total{sink="b"} 1\n'
      )
    ).toBe(3)
  })

  it('is named by a line of its own, or by one that names all requests of a minute', () => {
    const lines = [logLine({ activityId: 'x', partition: 1 }), logLine({ activityIds: ['x', 'y', 7], partition: 2, count: 3 })]
    expect(namedAsLate(lines.join('\n'))).toEqual(
      new Map([
        ['x', new Set([1, 2])],
        ['y', new Set([2])]
      ])
    )
  })
})

describe('runs that are not judged', () => {
  it('is the order of deletes: one that lands late shows in the samples and in the store', () => {
    const applied = [written(2, 40, 'second'), { ...written(1, 50, 'first', 20), mark: null }]
    const samples = [{ committed: new Map([[0, 3]]), stored: new Map<string, number>(), letters: 0, fromMs: 58, atMs: 60 }]
    const result = { ...GOOD, applied, samples, stored: [], commits: [commit(0, 0), commit(0, 30, 'second'), commit(5, 100, 'second')] }

    expect(judge({}, result).join('\n')).toMatch(
      /a held undefined when 2 was committed: a: first wrote null .*\n.*a holds undefined instead of 2/
    )
  })

  it('is what is gone by a later tombstone when the store is read: without one it is lost', () => {
    const samples = [{ committed: new Map([[0, 3]]), stored: new Map([['a', 2]]), letters: 0, fromMs: 38, atMs: 40 }]
    const withoutTombstone = GOOD.produced.filter(({ kind }) => kind !== 'tombstone')

    expect(judge({}, { ...GOOD, samples })).toEqual([])
    expect(judge({}, { ...GOOD, samples, produced: withoutTombstone }).join('\n')).toMatch(/b held undefined when 3 was committed/)
  })

  it('is the store of a topic that is gone: the samples and the copies are', () => {
    const gone = { expect: { isTopicGone: true } }

    expect(judge(gone, { ...GOOD, stored: [] })).toEqual([])
    expect(judge(gone, { ...GOOD, letters: [] })).toEqual(['poison at 0/4 was not copied'])
    expect(judge(gone, { ...GOOD, samples: [{ ...GOOD.samples[1], stored: new Map() }] }).join('\n')).toMatch(/a held undefined when 2/)
  })

  it('is one sample that failed, but not that all of them did', () => {
    expect(judge({}, { ...GOOD, samples: GOOD.samples.slice(1) })).toEqual([])
    expect(judge({}, { ...GOOD, samples: [] })).toEqual(['no sample could be taken'])
  })

  it('is the end of a sink that the scenario killed, but that of one that another signal ended', () => {
    expect(judge({}, { ...GOOD, sinks: sinksOf({ code: null, wasKilled: true }) })).toEqual([])
    expect(judge({}, { ...GOOD, sinks: sinksOf({ code: null }) })).toEqual(['first ended with null: assigned'])
  })

  it('is the mark of a write whose sink was killed before it noted it', () => {
    const write = { activityId: 'bba8dfcc-0951-4dc9-b0a0-000000000011', id: 'p3-d7', atMs: 50 }
    const requests = new Map([['bba8dfcc-0951-4dc9-b0a0-000000000010', { endMs: 40, writes: [['p3-d7', 1]] as const }]])
    const notes = { requests, identity: undefined, stop: undefined }

    expect(toApplied([write], new Map([['first', { ...notes, wasKilled: true }]]))).toEqual([
      { document: 'p3-d7', partition: 3, by: 'first', mark: null, activity: write.activityId, endMs: 50, appliedMs: 50 }
    ])
    expect(() => toApplied([write], new Map([['first', { ...notes, wasKilled: false }]]))).toThrow(/No sink has noted the write/)
  })

  it('is the offset of a record that compaction removed, but its order is', () => {
    const produced = GOOD.produced.filter(({ mark }) => mark !== 1)
    const applied = [written(1, 10), written(2, 20), written(1, 40)]

    expect(judge({}, { ...GOOD, produced }).join('\n')).toBe('')
    expect(judge({}, { ...GOOD, produced, applied }).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
  })
})

describe('the log of commits', () => {
  it('is found in the partition that the broker takes for the group', () => {
    // computed by Java; the hashes of the last two are below zero, the very last is the lowest of all
    expect(['group-a', 'orders-sink', 'polygenelubricants'].map((group) => partitionOf(group, 50))).toEqual([47, 15, 0])
  })

  it('gives the offset, who committed it, and when', () => {
    const metadata = JSON.stringify({ keystamp: 1, plan: 'x', by: 'me', left: true })
    const key = Buffer.concat([int16(1), textField('group'), textField('topic'), int32(3)])
    const value = Buffer.concat([int16(3), int64(42), int32(-1), textField(metadata), int64(1000)])

    expect(parseCommit({ key, value }, 'group', 'topic')).toEqual({
      partition: 3,
      offset: 42,
      by: 'me',
      hasLeft: true,
      atMs: 1000
    })
    const compact = Buffer.concat([
      int16(4),
      int64(43),
      int32(-1),
      Buffer.from([0x80 | 73, 1]),
      Buffer.from('{}'.padEnd(200)),
      int64(7),
      Buffer.alloc(1)
    ])
    expect(parseCommit({ key, value: compact }, 'group', 'topic')).toMatchObject({ offset: 43, by: undefined, atMs: 7 })
    expect(parseCommit({ key, value }, 'other', 'topic')).toBeUndefined()
    expect(parseCommit({ key, value: null }, 'group', 'topic')).toBeUndefined()
    expect(parseCommit({ key: Buffer.concat([int16(2), textField('group')]), value }, 'group', 'topic')).toBeUndefined()
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

function logLine(fields: object): string {
  return JSON.stringify({ level: 'warn', msg: 'a late request was applied', ...fields })
}

/** Applied at this time; sent one millisecond before, or when `endMs` says. */
function written(mark: number, appliedMs: number, by: string = 'first', endMs: number = appliedMs - 1): Applied {
  return { document: 'a', partition: 0, by, mark, activity: `${by}-${mark}`, endMs, appliedMs }
}

function commit(offset: number, atMs: number, by: string = 'first'): SinkCommit {
  return { partition: 0, offset, by, hasLeft: false, atMs }
}

function wrongWith(change: Partial<ScenarioResult>): readonly string[] {
  const { commits = GOOD.commits } = change
  return judge({}, { ...GOOD, samples: GOOD.samples.slice(0, 1), ...change, commits: [...commits, commit(5, 1000, commits.at(-1)?.by)] })
}

function sinksOf({ code = 0, late = NOTHING_LATE, stop, wasKilled = false }: Partial<SinkResult>): ScenarioResult['sinks'] {
  return new Map([['first', { code, said: 'assigned', assignments: 1, late, stop, wasKilled }]])
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

function int64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(BigInt(value))
  return buffer
}

function textField(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}
