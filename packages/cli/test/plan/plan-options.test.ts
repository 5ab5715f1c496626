import { describe, expect, it } from 'vitest'
import { checkPlanOptions, type PlanOptions } from '../../src/plan/plan-from-options.ts'

describe('a key plan on the command line', () => {
  it.each<[string, PlanOptions, string]>([
    ['cannot be combined with a plan in a file', { plan: 'plan.json', from: 'a' }, 'Give either --plan or --from'],
    [
      'cannot change the path of a plan in a file',
      { plan: 'plan.json', into: 'pk' },
      '--into needs --from, which names the fields of the key. With --plan,'
    ],
    ['cannot add a suffix to a plan in a file', { plan: 'plan.json', suffix: '4', by: 'a' }, '--suffix needs --from'],
    ['needs --from', { separator: '_' }, '--separator needs --from, which names the fields of the key.']
  ])('%s', (_title, options, sentence) => {
    expect(() => checkPlanOptions(options)).toThrow(sentence)
  })

  it.each<[string, PlanOptions]>([
    ['may have all options', { from: 'a', into: 'pk', separator: '_', suffix: '4', by: 'b', labels: 'even' }],
    ['is not needed if the plan is in a file', { plan: 'plan.json' }],
    ['is not needed for a command that works without a plan', {}]
  ])('%s', (_title, options) => {
    expect(() => checkPlanOptions(options)).not.toThrow()
  })
})
