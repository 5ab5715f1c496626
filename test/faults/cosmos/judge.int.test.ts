import { beforeAll, describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { parseScenario } from './read-scenarios.ts'
import { runScenario, type ScenarioResult, type Told } from './run-scenario.ts'

const CALM = parseScenario('calm.yaml', 'title: meets nothing\nwrites: 200\n')

describe('the judge of scenarios', () => {
  let good: ScenarioResult

  beforeAll(async () => {
    good = await runScenario(CALM, 1)
  })

  it('finds nothing wrong where nothing is', () => {
    expect(judge(CALM, good)).toEqual([])
  })

  it.each<[string, (result: ScenarioResult) => Partial<ScenarioResult>, RegExp]>([
    ['an outcome that is missing', ({ told }) => ({ told: withFirst(told, () => []) }), /1 was told 0 outcomes/],
    [
      'an outcome told twice',
      ({ told }) => ({ told: withFirst(told, ([one]) => [one, one]) }),
      /1 was told 2 outcomes/
    ],
    ['an error', ({ told }) => ({ told: withFirst(told, () => [new Error('It broke.')]) }), /stopped by .*It broke/],
    [
      'a record that was rejected',
      ({ told }) => ({ told: withFirst(told, () => [REJECTED]) }),
      /1 was rejected: COSMOS_REJECTED/
    ],
    ['an older write after a newer one', ({ applied }) => ({ applied: applied.toReversed() }), /was applied after/],
    ['a document that is lost', ({ stored }) => ({ stored: new Map([...stored].slice(1)) }), /holds undefined/],
    [
      'a document that is older',
      ({ stored }) => ({ stored: new Map([...stored].map(([name, one]) => [name, { ...one, mark: 0 }])) }),
      /"mark":0/
    ],
    [
      'a patch that was applied twice',
      ({ stored }) => ({ stored: new Map([...stored].map(([name, one]) => [name, { ...one, sum: one.sum + 1 }])) }),
      /holds/
    ],
    ['room that is not given back', ({ stats }) => ({ stats: { ...stats, pendingBytes: 7 } }), /7 bytes are left/],
    ['a room that was too full', ({ stats }) => ({ mostBytes: stats.maxPendingBytes + 10_000 }), /stood in a room/]
  ])('finds %s', (_, damage, complaint) => {
    expect(judge(CALM, { ...good, ...damage(good) }).join('\n')).toMatch(complaint)
  })

  it('does not compare the store where the writer had to stop, but outcomes and order', () => {
    const stopping = parseScenario('stop.yaml', 'title: meets nothing\nexpect: { stops: CONTAINER_MISSING }\n')
    const error = Object.assign(new Error('It is gone.'), { code: 'CONTAINER_MISSING' })
    const stopped = { ...good, told: withFirst(good.told, () => [error]), stored: new Map() }

    expect(judge(stopping, stopped)).toEqual([])
    expect(judge(stopping, { ...stopped, told: withFirst(good.told, () => [error, error]) }).join('\n')).toMatch(
      /1 was told 2 outcomes/
    )
    expect(judge(stopping, { ...stopped, applied: good.applied.toReversed() }).join('\n')).toMatch(/was applied after/)
  })

  it.each([
    ['a status that was never met', 'expect: { meets: ["429"] }', /never met 429/],
    ['operations that were never throttled', 'expect: { leastThrottled: 1 }', /only 0 operations were throttled/],
    ['a writer that did not stop', 'expect: { stops: CONTAINER_MISSING }', /was not stopped by CONTAINER_MISSING/]
  ])('finds %s', (_, expectation, complaint) => {
    expect(judge(parseScenario('calm.yaml', `title: meets nothing\n${expectation}\n`), good).join('\n')).toMatch(
      complaint
    )
  })
})

describe('a file of a scenario', () => {
  it.each([
    ['no title', 'writes: 3\n', /has no title/],
    ['a member that nobody reads', 'title: t\nfault: []\n', /a member fault, which nobody reads/],
    ['an expectation that nobody reads', 'title: t\nexpect: { meet: [] }\n', /a member meet, which nobody reads/]
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
  [first, ...rest]: readonly Told[],
  change: (outcomes: Told['outcomes']) => Told['outcomes']
): readonly Told[] {
  return [{ ...first, outcomes: change(first.outcomes) }, ...rest]
}
