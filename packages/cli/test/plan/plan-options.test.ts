import { describe, expect, it } from 'vitest'
import { checkPlanOptions, type PlanOptions } from '../../src/plan/plan-from-options.ts'

describe('a key plan on the line', () => {
  it.each<[string, PlanOptions, string]>([
    ['goes with no other plan', { plan: 'plan.json', from: 'a' }, 'Give either --plan or --from'],
    [
      'does not change a plan in a file',
      { plan: 'plan.json', into: 'pk' },
      '--into goes with --from, which names the fields of the key. With --plan,'
    ],
    ['does not add a suffix to one', { plan: 'plan.json', suffix: '4', by: 'a' }, '--suffix goes with --from'],
    ['defines the key', { separator: '_' }, '--separator goes with --from, which names the fields of the key.']
  ])('%s', (_title, options, sentence) => {
    expect(() => checkPlanOptions(options)).toThrow(sentence)
  })

  it.each<[string, PlanOptions]>([
    ['is one way', { from: 'a', into: 'pk', separator: '_', suffix: '4', by: 'b', labels: 'even' }],
    ['is not the only one', { plan: 'plan.json' }],
    ['may be missing, where a command can do without', {}]
  ])('%s', (_title, options) => {
    expect(() => checkPlanOptions(options)).not.toThrow()
  })
})
