import { describe, expect, it } from 'vitest'
import { createLifecycle, type SinkEvent } from '../../src/lifecycle/states.ts'

describe('the life of a sink', () => {
  it.each<[string, readonly SinkEvent[], string]>([
    ['runs when it has started', ['started'], 'running'],
    ['drains when it is asked to stop', ['started', 'stopAsked'], 'draining'],
    ['is stopped when it has drained', ['started', 'stopAsked', 'drained'], 'stopped'],
    ['can be stopped while it starts', ['stopAsked', 'started'], 'draining'],
    ['fails at any time before it is stopped', ['started', 'stopAsked', 'broken'], 'failed'],
    ['stays failed whatever comes', ['broken', 'started', 'stopAsked', 'drained'], 'failed'],
    ['stays stopped whatever comes', ['stopAsked', 'drained', 'broken', 'started'], 'stopped']
  ])('%s', (_title, events, state) => {
    const lifecycle = createLifecycle(() => undefined)
    for (const event of events) lifecycle.on(event)

    expect(lifecycle.state).toBe(state)
  })

  it('tells of each change once', () => {
    const changes: string[] = []
    const lifecycle = createLifecycle((state, before) => changes.push(`${before} to ${state}`))

    expect([lifecycle.on('started'), lifecycle.on('started')]).toEqual([true, false])
    expect(changes).toEqual(['starting to running'])
  })
})
