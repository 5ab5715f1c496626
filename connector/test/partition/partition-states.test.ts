import { describe, expect, it } from 'vitest'
import {
  type DeliveryEvent,
  type DeliveryState,
  nextDelivery,
  nextState,
  type PartitionEvent,
  type PartitionState
} from '../../src/partition/partition-states.ts'

const EVENTS: readonly PartitionEvent[] = [
  'begin',
  'restart',
  'take',
  'claim',
  'defer',
  'decoded',
  'fill',
  'drain',
  'answer',
  'lose'
]
const STATES: readonly PartitionState[] = ['new', 'unclaimed', 'working', 'decoding', 'full', 'lost']

describe('the states of a partition', () => {
  it.each<[PartitionState, readonly PartitionEvent[]]>([
    ['new', ['begin', 'restart', 'lose']],
    ['unclaimed', ['restart', 'take', 'claim', 'lose']],
    ['working', ['take', 'defer', 'fill', 'answer', 'lose']],
    ['decoding', ['take', 'decoded', 'answer', 'lose']],
    ['full', ['take', 'drain', 'answer', 'lose']],
    ['lost', ['decoded', 'answer', 'lose']]
  ])('allow in "%s" only the events %j', (state, events) => {
    expect(EVENTS.filter((event) => isPossible(() => nextState(state, event)))).toEqual(events)
  })

  it('lead to work only through a claim', () => {
    const before = STATES.filter((state) =>
      EVENTS.some((event) => event !== 'claim' && leadsTo(state, event, 'working'))
    )

    expect(before).toEqual(['working', 'decoding', 'full'])
    expect(STATES.filter((state) => state !== 'working' && leadsTo(state, 'claim', 'working'))).toEqual(['unclaimed'])
  })

  it('do not lead out of "lost"', () => {
    expect(STATES.filter((state) => EVENTS.some((event) => leadsTo('lost', event, state)))).toEqual(['lost'])
  })

  it('lead to "lost" only by a loss', () => {
    for (const state of STATES) {
      expect(EVENTS.filter((event) => leadsTo(state, event, 'lost'))).toEqual(
        state === 'lost' ? ['decoded', 'answer', 'lose'] : ['lose']
      )
    }
  })

  it('are reported together with the event if the event is impossible', () => {
    expect(() => nextState('unclaimed', 'answer')).toThrow('the event "answer" in the state "unclaimed"')
  })
})

describe('the delivery of a partition', () => {
  it.each<[DeliveryState, readonly DeliveryEvent[]]>([
    ['flowing', ['pause', 'resume', 'stop']],
    ['paused', ['resume', 'stop']],
    ['stopped', ['resume', 'stop']]
  ])('allows in "%s" only the events %j', (state, events) => {
    const all: readonly DeliveryEvent[] = ['pause', 'resume', 'stop']
    expect(all.filter((event) => isPossible(() => nextDelivery(state, event)))).toEqual(events)
  })

  it('is not resumed once it is stopped', () => {
    expect(nextDelivery('stopped', 'resume')).toBe('stopped')
  })
})

function leadsTo(state: PartitionState, event: PartitionEvent, next: PartitionState): boolean {
  return isPossible(() => nextState(state, event)) && nextState(state, event) === next
}

function isPossible(apply: () => string): boolean {
  try {
    apply()
    return true
  } catch {
    return false
  }
}
