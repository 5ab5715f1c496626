import { describe, expect, it } from 'vitest'
import { createRejectionHandler } from '../../../src/dead-letter/rejection-handler.ts'
import { batchOf, recordAt } from '../records.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { begin, decoderOf, UNREADABLE, WRITTEN } from './begin.ts'

describe('the tolerance of rejected records', () => {
  it.each(['copy', 'skip'] as const)(
    'counts each record once, with every outcome, under the policy %s',
    async (policy) => {
      const counted: string[] = []
      const tolerance = {
        rejected: () => counted.push('rejected'),
        passed: () => counted.push('passed'),
        exceeded: () => undefined
      }
      const writer = { send: async () => {}, check: async () => {}, waitingFor: undefined, close: async () => {} }
      const { worker, answers } = begin({
        decoder: decoderOf((offset) => (offset === 0 ? UNREADABLE : undefined)),
        rejects: createRejectionHandler({ policy, writer, tolerance })
      })
      worker.take(batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))
      answers[0]({
        kind: 'rejected',
        code: 'ALREADY_EXISTS',
        message: '',
        status: 409,
        subStatus: 0,
        chargeRu: 0,
        path: undefined
      })
      answers[1](WRITTEN)
      await turn()

      expect(worker.records.count).toBe(0)
      expect(counted).toEqual(['rejected', 'rejected', 'passed'])
    }
  )
})
