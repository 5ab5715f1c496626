import { describe, expect, it } from 'vitest'
import { countLateRequests, judge } from './judge.ts'
import { countedAsLate, namedAsLate } from './late-requests.ts'
import type { ScenarioResult } from './run-scenario.ts'
import { commit, GOOD, sinksOf, written } from './judged-runs.ts'

describe('a late request', () => {
  const LATE = {
    ...GOOD,
    applied: [written(2, 40, 'second'), written(1, 50, 'first', 20)],
    commits: [commit(0, 0), commit(0, 30, 'second'), commit(5, 100, 'second')],
    stored: [{ id: 'a', pk: 'a', mark: 1 }],
    samples: [{ committed: new Map([[0, 5]]), stored: new Map([['a', 1]]), deadLetters: 2, fromMs: 108, atMs: 110 }]
  }
  const named = sinksOf({ late: { named: new Map([['first-1', new Set([0])]]), counted: 1 } })

  it('violates the order, the samples and the store if its sink does not report it', () => {
    expect(judge({}, LATE).join('\n')).toMatch(
      /first wrote 1 .*\n.*a held 1 when 2 was committed: .*applied 30 ms.*\n.*a holds 1 instead of 2/
    )
  })

  it('is excused if its sink reports it with activity id and partition, and counts it', () => {
    expect(judge({}, { ...LATE, sinks: named })).toEqual([])
    expect(countLateRequests({}, { ...LATE, sinks: named })).toBe(1)
  })

  it('is excused if it is a delete', () => {
    const applied = [written(2, 40, 'second'), { ...written(1, 50, 'first', 20), mark: null }]
    const samples = [{ ...LATE.samples[0], stored: new Map<string, number>() }]

    expect(judge({}, { ...LATE, applied, samples, stored: [], sinks: named })).toEqual([])
  })

  it.each<[string, ScenarioResult['sinks'], RegExp]>([
    [
      'another request instead',
      sinksOf({ late: { named: new Map([['first-9', new Set([0])]]), counted: 1 } }),
      /a holds 1 instead of 2/
    ],
    [
      'it with another partition',
      sinksOf({ late: { named: new Map([['first-1', new Set([3])]]), counted: 1 } }),
      /a holds 1 instead of 2/
    ],
    [
      'it without counting it',
      sinksOf({ late: { named: new Map([['first-1', new Set([0])]]), counted: 0 } }),
      /named 1 late .* counted 0/
    ]
  ])('is not excused if its sink reports %s', (_, sinks, complaint) => {
    expect(judge({}, { ...LATE, sinks }).join('\n')).toMatch(complaint)
  })

  it('is neither a request sent after the loss of its partition, nor a request whose sink still owns the partition', () => {
    const sentAfter = { ...LATE, applied: [written(2, 40, 'second'), written(1, 50)], sinks: named }
    const owned = {
      ...LATE,
      commits: [commit(0, 0), commit(5, 100)],
      applied: [written(2, 40), written(1, 50, 'first', 20)],
      sinks: named
    }

    const claimedAgain = { ...owned, commits: [commit(0, 0), commit(0, 45), commit(5, 100)] }
    const movedLater = { ...owned, commits: [commit(0, 0), commit(0, 55, 'second'), commit(5, 100, 'second')] }

    expect(judge({}, claimedAgain).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
    expect(judge({}, movedLater).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
    expect(judge({}, sentAfter).join('\n')).toMatch(/first wrote 1 .* sent after second had claimed/)
    expect(judge({}, owned).join('\n')).toMatch(/first wrote 1 .* which no replay from a commit explains/)
  })

  it('is an excuse for its document only until the next write, and for no other document', () => {
    const healed = { ...LATE, applied: [...LATE.applied, written(2, 60, 'second')], sinks: named }

    expect(judge({}, healed).join('\n')).toMatch(/a holds 1 instead of 2/)
    expect(judge({}, { ...LATE, sinks: named, deadLetters: [] })).toEqual(['the invalid record at 0/4 was not copied'])
  })

  it('is excused without a report if the scenario names its sink as killed, and only for that sink', () => {
    expect(judge({ expect: { lateFrom: 'first' } }, LATE)).toEqual([])
    expect(judge({ expect: { lateFrom: 'second' } }, LATE)).not.toEqual([])
  })

  it('is reported as missing if a sink was suspended in a request and did not report this request', () => {
    const stop = { about: 'first-1', atMs: 30 }
    const { late } = named.get('first')!

    expect(judge({ expect: { namesLate: 'first' } }, { ...LATE, sinks: sinksOf({ stop, late }) })).toEqual([])
    expect(judge({ expect: { namesLate: 'first' } }, { ...GOOD, sinks: sinksOf({ stop }) })).toEqual([
      'first did not name request first-1, in which it was stopped, as late'
    ])
    expect(judge({ expect: { namesLate: 'first' } }, GOOD)).toEqual(['first was not stopped'])
  })

  it('is named by the log and counted by the metrics', () => {
    expect(
      namedAsLate(
        [
          'late request',
          logLine({ activityId: 'x', partition: 1 }),
          logLine({ activityId: 'x', partition: 2 }),
          '{}'
        ].join('\n')
      )
    ).toEqual(new Map([['x', new Set([1, 2])]]))
    expect(
      countedAsLate(
        '# TYPE keystamp_sink_late_requests_total counter\nkeystamp_sink_late_requests_total{sink="a"} 2\nkeystamp_sink_late_requests_total{sink="b"} 1\n'
      )
    ).toBe(3)
  })

  it('is reported in a line of its own, or in one line for all requests of a minute', () => {
    const lines = [
      logLine({ activityId: 'x', partition: 1 }),
      logLine({ activityIds: ['x', 'y', 7], partition: 2, count: 3 })
    ]
    expect(namedAsLate(lines.join('\n'))).toEqual(
      new Map([
        ['x', new Set([1, 2])],
        ['y', new Set([2])]
      ])
    )
  })
})

function logLine(fields: object): string {
  return JSON.stringify({ level: 'warn', msg: 'a late request was applied', ...fields })
}
