import { beforeAll, describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { parseScenario } from './read-scenarios.ts'
import { runScenario, type ScenarioResult, type WriteEntry } from './run-scenario.ts'

const CALM = parseScenario('calm.yaml', 'title: meets nothing\nwrites: 200\n')

describe('the judge of scenarios for the writer', () => {
  let good: ScenarioResult

  beforeAll(async () => {
    good = await runScenario(CALM, 1)
  })

  it('reports no violation in a good run', () => {
    expect(judge(CALM, good)).toEqual([])
  })

  it.each<[string, (result: ScenarioResult) => Partial<ScenarioResult>, RegExp]>([
    ['a missing outcome', ({ entries }) => ({ entries: withFirst(entries, () => []) }), /1 has 0 outcomes/],
    ['a second outcome', ({ entries }) => ({ entries: withFirst(entries, ([one]) => [one, one]) }), /1 has 2 outcomes/],
    [
      'an error',
      ({ entries }) => ({ entries: withFirst(entries, () => [new Error('It broke.')]) }),
      /stopped by .*It broke/
    ],
    [
      'a record that was rejected',
      ({ entries }) => ({ entries: withFirst(entries, () => [REJECTED]) }),
      /1 was rejected: COSMOS_REJECTED/
    ],
    ['an older write after a newer one', ({ applied }) => ({ applied: applied.toReversed() }), /was applied after/],
    ['a lost document', ({ stored }) => ({ stored: new Map([...stored].slice(1)) }), /holds undefined/],
    [
      'an older document',
      ({ stored }) => ({ stored: new Map([...stored].map(([name, one]) => [name, { ...one, mark: 0 }])) }),
      /"mark":0/
    ],
    [
      'a patch that was applied twice',
      ({ stored }) => ({ stored: new Map([...stored].map(([name, one]) => [name, { ...one, sum: one.sum + 1 }])) }),
      /holds/
    ],
    [
      'bytes that are still counted at the end',
      ({ stats }) => ({ stats: { ...stats, pendingBytes: 7 } }),
      /7 bytes are still pending/
    ],
    [
      'more pending bytes than allowed',
      ({ stats }) => ({ peakBytes: stats.maxPendingBytes + 10_000 }),
      /bytes were pending/
    ]
  ])('reports %s', (_, damage, complaint) => {
    expect(judge(CALM, { ...good, ...damage(good) }).join('\n')).toMatch(complaint)
  })

  it('compares only outcomes and order, not the store, if the writer had to stop', () => {
    const stopping = parseScenario('stop.yaml', 'title: meets nothing\nexpect: { stops: CONTAINER_MISSING }\n')
    const error = Object.assign(new Error('It is gone.'), { code: 'CONTAINER_MISSING' })
    const stopped = { ...good, entries: withFirst(good.entries, () => [error]), stored: new Map() }

    expect(judge(stopping, stopped)).toEqual([])
    expect(judge(stopping, { ...stopped, entries: withFirst(good.entries, () => [error, error]) }).join('\n')).toMatch(
      /1 has 2 outcomes/
    )
    expect(judge(stopping, { ...stopped, applied: good.applied.toReversed() }).join('\n')).toMatch(/was applied after/)
  })

  it.each([
    ['a status that never occurred', 'expect: { meets: ["429"] }', /429 never occurred/],
    ['operations that were never throttled', 'expect: { minThrottled: 1 }', /only 0 operations were throttled/],
    ['a writer that did not stop', 'expect: { stops: CONTAINER_MISSING }', /was not stopped by CONTAINER_MISSING/]
  ])('reports %s', (_, expectation, complaint) => {
    expect(judge(parseScenario('calm.yaml', `title: meets nothing\n${expectation}\n`), good).join('\n')).toMatch(
      complaint
    )
  })
})

describe('a scenario file', () => {
  it.each([
    ['a missing title', 'writes: 3\n', /has no title/],
    ['an unknown key', 'title: t\nfault: []\n', /the unknown key fault/],
    ['an unknown expectation', 'title: t\nexpect: { meet: [] }\n', /the unknown key meet/]
  ])('is refused with %s', (_, text, complaint) => {
    expect(() => parseScenario('one.yaml', text)).toThrow(complaint)
  })
})

const REJECTED = {
  kind: 'rejected',
  code: 'COSMOS_REJECTED',
  message: 'No.',
  status: 400,
  subStatus: 0,
  chargeRu: 0,
  path: undefined
} as const

function withFirst(
  [first, ...rest]: readonly WriteEntry[],
  change: (outcomes: WriteEntry['outcomes']) => WriteEntry['outcomes']
): readonly WriteEntry[] {
  return [{ ...first, outcomes: change(first.outcomes) }, ...rest]
}
