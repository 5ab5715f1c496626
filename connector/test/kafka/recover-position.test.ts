import { KeystampError, type Position, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { Assignment } from '../../src/kafka/delivery.ts'
import type { OutOfRange } from '../../src/kafka/consumer-port.ts'
import { type RecoverOptions, recoverPosition } from '../../src/kafka/reading-positions.ts'
import { RetryDelay } from '../../src/lifecycle/auth-grace.ts'
import { deferred } from '../simulation/deferred.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const PARTITION = { topic: 't', partition: 1 }

describe('a fetch at an offset that is out of range', () => {
  it.for([
    ['earliest', 200],
    ['latest', 300]
  ] as const)('L1 continues at the %s record, with one warning', async ([lostOffsets, to]) => {
    const { recover, moves, seeks, warnings, failures } = create({ lostOffsets, expected: 100 })
    await recover()

    expect(moves).toEqual([{ ...PARTITION, from: 100, to, low: 200, high: 300 }])
    expect({ seeks, failures }).toEqual({ seeks: [to], failures: [] })
    expect(warnings).toEqual([{ code: 'OFFSETS_LOST', ...PARTITION, from: 100, to }])
  })

  it.for([100, 301])(
    'L1 fails, and does not move the partition, under `lostOffsets: stop` (offset %i)',
    async (expected) => {
      const { recover, moves, seeks, failures } = create({ lostOffsets: 'stop', expected })
      await recover()

      expect(failures).toMatchObject([
        { code: 'OFFSETS_LOST', message: expect.stringContaining(`at offset ${expected} any more`) }
      ])
      expect({ moves, seeks }).toEqual({ moves: [], seeks: [] })
    }
  )

  it('L1 continues at the offset that the listener returns, without a warning, since no record was skipped', async () => {
    const { recover, seeks, warnings } = create({ expected: 100, answer: 250 })
    await recover()

    expect({ seeks, warnings }).toEqual({ seeks: [250], warnings: [] })
  })

  it.for([200, 250, 300])(
    'L1 does not move the partition if the offset is in range after all (offset %i), and has the range read again after a while',
    async (expected) => {
      const { recover, moves, seeks, failures, clock, isDone } = create({ lostOffsets: 'stop', expected })
      void recover()
      await turn()

      expect({ moves, seeks, failures, isDone: isDone() }).toEqual({
        moves: [],
        seeks: [expected],
        failures: [],
        isDone: false
      })
      await clock.runUntil(100)
      expect(isDone()).toBe(true)
    }
  )

  it('begins at the first offset of the partition while no offset is expected', async () => {
    const { recover, moves, seeks } = create({ expected: undefined })
    void recover()
    await turn()

    expect({ moves, seeks }).toEqual({ moves: [], seeks: [200] })
  })

  it('L1 is not handled before the offsets of the assignment are known', async () => {
    const { recover, assignment, moves, requests } = create({ expected: 100 })
    const known = deferred()
    assignment.known = known.promise
    void recover()
    await turn()
    expect(requests()).toBe(0)

    assignment.expect(PARTITION, toPosition(150))
    known.resolve()
    await turn()
    expect(moves).toMatchObject([{ from: 150 }])
  })

  it.for(['request', 'answer'])(
    'L5 does not move a partition whose assignment has ended before the ListOffsets %s',
    async (when) => {
      const { recover, end, hold, moves, seeks, requests } = create({ expected: 100 })
      const held = hold()
      if (when === 'request') end()
      void recover()
      await turn()
      end()
      held.resolve()
      await turn()

      expect({ moves, seeks, requests: requests() }).toEqual({
        moves: [],
        seeks: [],
        requests: when === 'request' ? 0 : 1
      })
    }
  )

  it('L5 does not move a partition that is not owned', async () => {
    const { recover, requests } = create({ expected: 100, owned: 0 })
    void recover()
    await turn()

    expect(requests()).toBe(0)
  })

  it('has the range read again after a while if Kafka does not answer, and fails if retrying cannot help', async () => {
    const passing = create({ expected: 100, error: new KeystampError('KAFKA_UNAVAILABLE', 'away'), passes: true })
    void passing.recover()
    await turn()
    expect({ isDone: passing.isDone(), failures: passing.failures }).toEqual({ isDone: false, failures: [] })
    await passing.clock.runUntil(100)
    expect(passing.isDone()).toBe(true)

    const failing = create({ expected: 100, error: new KeystampError('KAFKA_UNAUTHORIZED', 'refused') })
    await failing.recover()
    expect(failing.failures).toMatchObject([{ code: 'KAFKA_UNAUTHORIZED' }])
  })
})

interface Case {
  readonly lostOffsets?: RecoverOptions['lostOffsets']
  /** The next offset of the partition. */
  readonly expected: number | undefined
  /** Answer of the listener. Default: the offset that it was given. */
  readonly answer?: number
  readonly owned?: number
  readonly error?: Error
  readonly passes?: boolean
}

function create({ lostOffsets = 'earliest', expected, answer, owned = 1, error, passes = false }: Case) {
  const clock = new VirtualClock()
  const assignment = new Assignment([{ topic: 't', partition: owned }])
  if (expected !== undefined) assignment.expect(PARTITION, toPosition(expected))
  const moves: OutOfRange[] = []
  const seeks: Position[] = []
  const warnings: unknown[] = []
  const failures: Error[] = []
  let isCurrent = true
  let isDone = false
  let requests = 0
  let held: Promise<void> | undefined
  const recover = async (): Promise<void> => {
    await recoverPosition({
      topicPartition: PARTITION,
      assignment,
      isCurrent: () => isCurrent,
      lostOffsets,
      admin: {
        fetchTopicOffsets: async () => {
          requests++
          await held
          if (error !== undefined) throw error
          return [0, 1].map((partition) => ({
            partition,
            offset: '300',
            high: '300',
            low: partition === 1 ? '200' : '0'
          }))
        }
      },
      clock,
      delay: new RetryDelay(100),
      log: { info: () => {}, warn: (facts) => void warnings.push(facts), error: () => {} },
      passes: () => passes,
      seek: (position) => void seeks.push(position),
      outOfRange: (range) => {
        moves.push(range)
        return answer === undefined ? range.to : toPosition(answer)
      },
      fail: (thrown) => void failures.push(thrown)
    })
    isDone = true
  }
  return {
    recover,
    assignment,
    clock,
    moves,
    seeks,
    warnings,
    failures,
    requests: () => requests,
    isDone: () => isDone,
    end: () => void (isCurrent = false),
    hold: () => {
      const { promise, resolve } = deferred()
      held = promise
      return { resolve }
    }
  }
}
