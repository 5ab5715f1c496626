import { describe, expect, it } from 'vitest'
import { createStates, type SinkEvent } from '../../src/sink-lifecycle.ts'

describe('a sink', () => {
  it.each<[string, readonly SinkEvent[], string]>([
    ['runs when it has started', ['started'], 'running'],
    ['drains when it is asked to stop', ['started', 'stopAsked'], 'draining'],
    ['still drains while it closes', ['started', 'stopAsked', 'drained'], 'draining'],
    ['is stopped when it has drained and closed', ['started', 'stopAsked', 'drained', 'closed'], 'stopped'],
    [
      'is stopped, and has not failed, if something breaks while it closes',
      ['started', 'stopAsked', 'drained', 'broken', 'closed'],
      'stopped'
    ],
    ['can be stopped while it starts', ['stopAsked', 'started'], 'draining'],
    ['fails at any time before it is stopped', ['started', 'stopAsked', 'broken'], 'failed'],
    ['stays failed after any other event', ['broken', 'started', 'stopAsked', 'drained', 'closed'], 'failed'],
    ['stays stopped after any other event', ['stopAsked', 'drained', 'closed', 'broken', 'started'], 'stopped']
  ])('%s', (_title, events, state) => {
    const states = createStates(() => undefined)
    for (const event of events) states.on(event)

    expect(states.state).toBe(state)
  })

  it('does not report a state of its own while it closes', () => {
    const changes: string[] = []
    const states = createStates((state, before) => changes.push(`${before} to ${state}`))
    for (const event of ['stopAsked', 'drained', 'closed'] as const) states.on(event)

    expect(changes).toEqual(['starting to draining', 'draining to stopped'])
  })

  it('reports each change of its state once', () => {
    const changes: string[] = []
    const states = createStates((state, before) => changes.push(`${before} to ${state}`))

    expect([states.on('started'), states.on('started')]).toEqual([true, false])
    expect(changes).toEqual(['starting to running'])
  })
})
