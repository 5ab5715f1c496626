import { isKeystampError } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeadLetterWriter } from '../../src/dead-letter/dead-letter-writer.ts'
import {
  createRejectionHandler,
  createTolerance,
  type RejectionHandlerOptions,
  type Tolerance
} from '../../src/dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import { recordAt } from '../partition/records.ts'
import { deferred } from '../simulation/deferred.ts'
import { turn } from '../simulation/virtual-clock.ts'

const REJECTION: SinkRejection = {
  ok: false,
  stage: 'decode',
  code: 'DECODE_FAILED',
  message: 'It is no JSON.',
  path: ''
}

describe('a rejected record', () => {
  // checks L9
  it('is settled only after its copy is acknowledged', async () => {
    const acknowledged = deferred()
    const { take } = handlerOf({ policy: 'copy', writer: writerOf(() => acknowledged.promise) })
    const outcomes = take()
    await turn()
    expect(outcomes).toEqual([])

    acknowledged.resolve()
    await turn()

    expect(outcomes).toEqual(['settled'])
  })

  it('stops the sink if its copy is refused for good', async () => {
    const { take } = handlerOf({ policy: 'copy', writer: writerOf(() => Promise.reject(new Error('no such topic'))) })
    const outcomes = take()
    await turn()

    expect(outcomes).toEqual(['no such topic'])
  })

  it('stops the sink at once under the policy `stop`, with an error that names its topic, partition and offset', () => {
    const { take } = handlerOf({ policy: 'stop' })

    expect(take()).toEqual([
      'The record at topic "things", partition 0, offset 7 was rejected (DECODE_FAILED): It is no JSON. ' +
        'To continue past such records, configure a dead-letter topic or file under `rejects`, or `rejects.policy: skip`. (RECORD_REJECTED)'
    ])
  })

  it('is counted, and settled without a copy, under the policy `skip`', () => {
    const { fixture, take } = handlerOf({ policy: 'skip' })

    expect(take()).toEqual(['settled'])
    expect([...fixture.byCode]).toEqual([['DECODE_FAILED', 1]])
    expect(fixture.count).toBe(1)
  })

  it('is reported by `onRejected`, unless it stops the sink: then the error reports it', () => {
    const reported: string[] = []
    const onRejected: RejectionHandlerOptions['onRejected'] = ({ topic }, { code }) => reported.push(`${topic} ${code}`)
    handlerOf({ policy: 'skip', onRejected }).take()
    handlerOf({ policy: 'stop', onRejected }).take()

    expect(reported).toEqual(['things DECODE_FAILED'])
  })

  it('stops the sink, without a copy, when the tolerance is exceeded', async () => {
    const tolerance: Tolerance = { rejected: () => undefined, passed: () => undefined, exceeded: () => 'Too many.' }
    let copies = 0
    const writer = writerOf(() => {
      copies++
      return Promise.resolve()
    })
    const { take } = handlerOf({ policy: 'copy', writer, tolerance })

    expect(take()).toEqual(['Too many. (TOLERANCE_EXCEEDED)'])
    await turn()
    expect(copies).toBe(0)
  })
})

function handlerOf(options: Partial<RejectionHandlerOptions>): {
  readonly fixture: ReturnType<typeof createRejectionHandler>
  readonly take: () => string[]
} {
  const fixture = createRejectionHandler({ policy: 'stop', writer: undefined, tolerance: undefined, ...options })
  const take = (): string[] => {
    const outcomes: string[] = []
    fixture.take(recordAt(7), REJECTION, (error) =>
      outcomes.push(error === undefined ? 'settled' : `${error.message}${codeOf(error)}`)
    )
    return outcomes
  }
  return { fixture, take }
}

function codeOf(error: Error): string {
  return isKeystampError(error) ? ` (${error.code})` : ''
}

function writerOf(send: () => Promise<void>): DeadLetterWriter {
  return { send, check: () => Promise.resolve(), waitingFor: undefined, close: () => Promise.resolve() }
}

describe('the tolerance of rejected records', () => {
  it('is exceeded by the first rejection above the percentage of the window', () => {
    const tolerance = createTolerance({ percent: 10, window: 20 })
    tolerance.rejected('A', 'a')
    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeUndefined()

    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeDefined()
  })

  it('lists the reasons when it is exceeded, the most frequent first, with the first message of each', () => {
    const tolerance = createTolerance({ percent: 1, window: 100 })
    tolerance.rejected('KEY_TOO_LONG', 'The key is too long.')
    tolerance.rejected('DECODE_FAILED', 'No JSON at byte 7.')
    tolerance.rejected('DECODE_FAILED', 'No JSON at byte 9.')

    expect(tolerance.exceeded()).toBe(
      [
        '3 of the last 100 records were rejected; 1 are tolerated (1 %):',
        '  2 x DECODE_FAILED, the first: No JSON at byte 7.',
        '  1 x KEY_TOO_LONG, the first: The key is too long.'
      ].join('\n')
    )
  })

  it('lists five reasons when it is exceeded, and the number of further reasons', () => {
    const tolerance = createTolerance({ percent: 0, window: 100 })
    for (const code of 'ABCDEFG') tolerance.rejected(code, code)

    expect(tolerance.exceeded()?.split('\n')).toHaveLength(7)
    expect(tolerance.exceeded()).toContain('and 2 other reasons')
  })

  it('of 0 % is exceeded by the first rejected record', () => {
    const tolerance = createTolerance({ percent: 0, window: 1000 })
    tolerance.passed()
    expect(tolerance.exceeded()).toBeUndefined()

    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeDefined()
  })

  it('is exceeded exactly when a count over a list of the last records exceeds it', () => {
    const outcome = fc.constantFrom('A', 'B', undefined, undefined)

    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 200 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 100 }),
        (all, window, percent) => {
          const tolerance = createTolerance({ percent, window })
          all.forEach((code, index) => {
            if (code === undefined) tolerance.passed()
            else tolerance.rejected(code, '')
            const last = all.slice(Math.max(0, index + 1 - window), index + 1).filter((each) => each !== undefined)
            const said = tolerance.exceeded()
            expect(said !== undefined).toBe(last.length * 100 > window * percent)
            const counted = `${last.filter((each) => each === last[0]).length} x ${last[0]}`
            expect(said ?? counted).toContain(counted)
          })
        }
      )
    )
  })
})
