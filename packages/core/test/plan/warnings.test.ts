import { describe, expect, it } from 'vitest'

import { createPlan, type PlanDefinition } from '../../src/index.ts'

const suffix = { by: '/vin', count: 400 } as const

function warningsOf(plan: PlanDefinition): string[] {
  return createPlan(plan).warnings.map(({ code, path }) => `${code} ${path}`)
}

describe('warnings of a plan', () => {
  // checks L3
  it.each<[string, PlanDefinition, string[]]>([
    ['only a date', { into: '/pk', from: [{ field: '/date' }] }, ['DATE_ONLY /from']],
    ['a bucket alone', { into: '/pk', from: [{ bucket: 'day', of: '/at' }] }, ['DATE_ONLY /from']],
    ['a date with a suffix', { into: '/pk', from: [{ field: '/date' }], suffix }, []],
    ['a date with another field', { into: '/pk', from: [{ field: '/device' }, { field: '/date' }] }, []],
    [
      'a boolean and a topic',
      { into: '/pk', from: [{ field: '/ok', type: 'boolean' }, { kafka: 'topic' }] },
      ['FEW_KEYS /from']
    ],
    [
      'a date with four suffixes',
      { into: '/pk', from: [{ field: '/date' }], suffix: { ...suffix, count: 4 } },
      ['DATE_ONLY /from']
    ],
    [
      'the time of the last change',
      { into: '/pk', from: [{ field: '/device' }, { field: '/updatedAt' }] },
      ['MUTABLE_INPUT /from/1']
    ],
    ['a status', { into: '/pk', from: [{ field: '/device' }, { field: '/order/status' }] }, ['MUTABLE_INPUT /from/1']],
    [
      'a suffix by the last change',
      { into: '/pk', from: [{ field: '/device' }], suffix: { by: '/lastModified', count: 400 } },
      ['MUTABLE_INPUT /suffix/by']
    ],
    [
      'a random suffix',
      { into: '/pk', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } },
      ['RANDOM_SUFFIX /suffix/by']
    ],
    [
      'a named zone',
      { into: '/pk', from: [{ field: '/device' }, { bucket: 'day', of: '/at', zone: 'Europe/Berlin' }] },
      ['NAMED_ZONE /from/1/zone']
    ],
    ['a fixed zone', { into: '/pk', from: [{ field: '/device' }, { bucket: 'day', of: '/at', zone: '+02:00' }] }, []],
    [
      'a suffix after a string on version 1',
      { into: '/pk', hashVersion: 1, from: [{ field: '/device' }], suffix },
      ['SUFFIX_BEHIND_CUT /suffix']
    ],
    [
      'a suffix after a date on version 1',
      { into: '/pk', hashVersion: 1, from: [{ field: '/date', type: 'date' }], suffix },
      []
    ],
    [
      'existing keys that are kept',
      { into: '/pk', from: [{ field: '/device' }], existing: 'keep' },
      ['KEEPS_EXISTING /existing']
    ],
    [
      'an id of the last change',
      { into: '/pk', from: [{ field: '/device' }], id: { from: [{ field: '/modified' }] } },
      ['MUTABLE_INPUT /id/from/0']
    ],
    [
      'levels that need no warning',
      {
        levels: [
          { into: '/tenant', from: [{ field: '/tenant' }] },
          { into: '/day', from: [{ bucket: 'day', of: '/at' }] }
        ]
      },
      []
    ]
  ])('have the expected codes and paths for %s', (_what, plan, expected) => {
    expect(warningsOf(plan)).toEqual(expected)
  })

  it('contain the number of logical partitions if the plan has a suffix, and do not recommend to add a suffix', () => {
    const [warning] = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { ...suffix, count: 4 } }).warnings

    expect(warning.message).toContain('into 4 logical partitions')
    expect(warning.message).toContain('Use 100 suffixes or more')
    expect(warning.message).not.toContain('Add a suffix')
  })

  it('contain a remedy', () => {
    const [warning] = createPlan({ into: '/pk', from: [{ field: '/date' }] }).warnings

    expect(warning.message).toContain('Add a suffix')
  })
})
