import { expect, it } from 'vitest'
import { nextState, type OperationEvent, type OperationState } from '../../src/dispatch/pending-operation.ts'

const STATES: readonly OperationState[] = ['waiting', 'queued', 'inFlight', 'delayed', 'closed']
const EVENTS: readonly OperationEvent[] = ['enqueue', 'send', 'requeue', 'delay', 'close']

it('never leaves the state closed', () => {
  expect(EVENTS.map((event) => nextState('closed', event))).toEqual(EVENTS.map(() => 'closed'))
})

it('sends an operation only from a queue', () => {
  expect(STATES.filter((state) => state !== 'inFlight' && nextState(state, 'send') === 'inFlight')).toEqual(['queued'])
})

it('delays only an operation that was sent', () => {
  expect(STATES.filter((state) => state !== 'delayed' && nextState(state, 'delay') === 'delayed')).toEqual(['inFlight'])
})

it('requeues only an operation that was sent or delayed', () => {
  expect(STATES.filter((state) => state !== 'queued' && nextState(state, 'requeue') === 'queued')).toEqual([
    'inFlight',
    'delayed'
  ])
})
