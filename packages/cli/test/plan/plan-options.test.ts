import { describe, expect, it } from 'vitest'
import { checkPlanOptions, type PlanOptions } from '../../src/plan/plan-from-options.ts'

describe('the options of a key plan on the command line', () => {
  it.each<[string, PlanOptions, string]>([
    ['cannot contain both --plan and --from', { plan: 'plan.json', from: 'a' }, 'Give either --plan or --from'],
    [
      'cannot contain --into with a plan in a file',
      { plan: 'plan.json', into: 'pk' },
      '--into needs --from, which names the fields of the key. With --plan,'
    ],
    [
      'cannot contain --suffix with a plan in a file',
      { plan: 'plan.json', suffix: '4', by: 'a' },
      '--suffix needs --from'
    ],
    [
      'must contain --from with --separator',
      { separator: '_' },
      '--separator needs --from, which names the fields of the key.'
    ]
  ])('%s', (_title, options, sentence) => {
    expect(() => checkPlanOptions(options)).toThrow(sentence)
  })

  it.each<[string, PlanOptions]>([
    [
      'may all be given together with --from',
      { from: 'a', into: 'pk', separator: '_', suffix: '4', by: 'b', labels: 'even' }
    ],
    ['are not needed with --plan', { plan: 'plan.json' }],
    ['are not needed for a command that works without a plan', {}]
  ])('%s', (_title, options) => {
    expect(() => checkPlanOptions(options)).not.toThrow()
  })
})
