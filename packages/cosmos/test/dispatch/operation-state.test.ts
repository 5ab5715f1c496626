import { expect, it } from 'vitest'
import { nextState, type OperationEvent, type OperationState } from '../../src/dispatch/operation-state.ts'

const STATES: readonly OperationState[] = ['waiting', 'queued', 'inFlight', 'delayed', 'closed']
const EVENTS: readonly OperationEvent[] = ['enqueue', 'send', 'requeue', 'delay', 'close']

it('nextState never leaves the state closed', () => {
  expect(EVENTS.map((event) => nextState('closed', event))).toEqual(EVENTS.map(() => 'closed'))
})

it('nextState changes to inFlight only from queued', () => {
  expect(STATES.filter((state) => state !== 'inFlight' && nextState(state, 'send') === 'inFlight')).toEqual(['queued'])
})

it('nextState changes to delayed only from inFlight', () => {
  expect(STATES.filter((state) => state !== 'delayed' && nextState(state, 'delay') === 'delayed')).toEqual(['inFlight'])
})

it('nextState changes to queued by a requeue only from inFlight and delayed', () => {
  expect(STATES.filter((state) => state !== 'queued' && nextState(state, 'requeue') === 'queued')).toEqual([
    'inFlight',
    'delayed'
  ])
})
