import { isKeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createRejectDesk, type RejectDeskOptions, type Tolerance } from '../../src/rejects/reject-desk.ts'
import type { RejectSink } from '../../src/rejects/reject-sink.ts'
import type { SinkRejection } from '../../src/rejects/sink-codes.ts'
import { recordAt } from '../offsets/records.ts'
import { deferred } from '../simulation/deferred.ts'
import { turn } from '../simulation/virtual-clock.ts'

const REJECTION: SinkRejection = { ok: false, stage: 'decode', code: 'DECODE_FAILED', message: 'It is no JSON.', path: '' }

describe('a rejected record', () => {
  it('is settled only after its copy is acknowledged', async () => {
    const acknowledged = deferred()
    const { take } = deskOf({ policy: 'copy', sink: sinkOf(() => acknowledged.promise) })
    const told = take()
    await turn()
    expect(told).toEqual([])

    acknowledged.resolve()
    await turn()

    expect(told).toEqual(['settled'])
  })

  it('stops the work where its copy will never be taken', async () => {
    const { take } = deskOf({ policy: 'copy', sink: sinkOf(() => Promise.reject(new Error('no such topic'))) })
    const told = take()
    await turn()

    expect(told).toEqual(['no such topic'])
  })

  it('stops the work at once where that is the policy, and says where it is', () => {
    const { take } = deskOf({ policy: 'stop' })

    expect(take()).toEqual([
      'The record at topic "things", partition 0, offset 7 was rejected (DECODE_FAILED): It is no JSON. ' +
        'To go on past such records, name a place for them under `rejects`, or say `rejects.policy: skip`. (RECORD_REJECTED)'
    ])
  })

  it('is settled without a copy where the policy is to skip, and counted', () => {
    const { desk, take } = deskOf({ policy: 'skip' })

    expect(take()).toEqual(['settled'])
    expect([...desk.byCode]).toEqual([['DECODE_FAILED', 1]])
    expect(desk.count).toBe(1)
  })

  it('is told of, but for the one that stops the work, which says so itself', () => {
    const heard: string[] = []
    const onRejected: RejectDeskOptions['onRejected'] = ({ topic }, { code }) => heard.push(`${topic} ${code}`)
    deskOf({ policy: 'skip', onRejected }).take()
    deskOf({ policy: 'stop', onRejected }).take()

    expect(heard).toEqual(['things DECODE_FAILED'])
  })

  it('stops the work, without a copy, when there are more than is tolerated', async () => {
    const tolerance: Tolerance = { rejected: () => undefined, passed: () => undefined, exceeded: () => 'Too many.' }
    let copies = 0
    const sink = sinkOf(() => {
      copies++
      return Promise.resolve()
    })
    const { take } = deskOf({ policy: 'copy', sink, tolerance })

    expect(take()).toEqual(['Too many. (TOLERANCE_EXCEEDED)'])
    await turn()
    expect(copies).toBe(0)
  })
})

function deskOf(options: Partial<RejectDeskOptions>): {
  readonly desk: ReturnType<typeof createRejectDesk>
  readonly take: () => string[]
} {
  const desk = createRejectDesk({ policy: 'stop', sink: undefined, tolerance: undefined, ...options })
  const take = (): string[] => {
    const told: string[] = []
    desk.take(recordAt(7), REJECTION, (error) => told.push(error === undefined ? 'settled' : `${error.message}${codeOf(error)}`))
    return told
  }
  return { desk, take }
}

function codeOf(error: Error): string {
  return isKeystampError(error) ? ` (${error.code})` : ''
}

function sinkOf(send: () => Promise<void>): RejectSink {
  return { send, check: () => Promise.resolve(), waitingFor: undefined, close: () => Promise.resolve() }
}
