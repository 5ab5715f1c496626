import { describe, expect, it } from 'vitest'
import { createMovedContainers, startMove } from './started-move.ts'

describe('a switch that is called off', () => {
  it('lets the application write again if the copy fails after the hook `before`', async () => {
    const move = startMove(createMovedContainers(), {
      onHook: async (hook) => {
        if (hook === 'before') move.fail()
        return { isDone: true }
      }
    })
    const asked = move.switch()
    await move.pass(120_000)
    expect(await move.ended).toBe('The account does not answer.')
    expect(move.hooks).toStrictEqual(['before', 'canceled'])
    expect(move.journal.state().phase).toBe('follow')
    expect(await asked).toStrictEqual({
      isDone: false,
      message: 'The process that runs the move ended before `switch` was done: The account does not answer.'
    })
  })

  it('lets the application write again if the process ends before it has said so', async () => {
    const containers = createMovedContainers()
    const killed = startMove(containers, {
      onHook: (hook) =>
        hook === 'before'
          ? Promise.resolve({ isDone: false, reason: 'it ended with exit code 1.' })
          : new Promise(() => {})
    })
    void killed.switch()
    await killed.pass(60_000)
    expect(killed.hooks).toStrictEqual(['before', 'canceled'])
    const next = startMove(containers, { entries: killed.journal.entries })
    await next.reach('follow')
    expect(next.hooks).toStrictEqual(['canceled'])
  })

  it('does not move the application when a process ended while it called off the hook `after`', async () => {
    const containers = createMovedContainers()
    const killed = startMove(containers, {
      onHook: (hook) =>
        hook === 'canceled'
          ? new Promise(() => {})
          : Promise.resolve(hook === 'after' ? { isDone: false, reason: 'it failed.' } : { isDone: true })
    })
    void killed.switch()
    await killed.pass(60_000)
    expect(killed.hooks).toStrictEqual(['before', 'after', 'canceled'])
    const next = startMove(containers, { entries: killed.journal.entries })
    await next.reach('follow')
    expect(next.hooks).toStrictEqual(['canceled'])
  })

  it('lets the application write again if the journal cannot be written', async () => {
    let isFull = false
    const move = startMove(createMovedContainers(), {
      onMoment: () => {
        if (isFull) throw new Error('no space left on device')
      },
      onHook: async (hook) => {
        isFull ||= hook === 'before'
        return { isDone: true }
      }
    })
    void move.switch()
    await move.pass(120_000)
    expect(await move.ended).toBe('no space left on device')
    expect(move.hooks).toStrictEqual(['before', 'canceled'])
  })

  it('ends without an error, and in the phase before, if the process is asked to end while it is postponed', async () => {
    const move = startMove(createMovedContainers(), {
      notPostponed: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const asked = move.switch()
    await move.reach('switch')
    move.end()
    await move.pass(1000)
    expect(await move.ended).toBe('ended')
    expect(move.hooks).toStrictEqual([])
    expect(move.journal.state().phase).toBe('follow')
    expect(await asked).toMatchObject({ isDone: false })
  })
})

describe('the end of a move', () => {
  it('answers the requests that came too late', async () => {
    const move = startMove(createMovedContainers())
    await move.reach('follow')
    const [first, second] = [move.move.request('abort'), move.move.request('switch')]
    await move.pass(1000)
    expect(await first).toMatchObject({ isDone: true })
    const refused = {
      isDone: false,
      message: '`switch` is possible in the phase follow, and this move is in the phase aborted.'
    }
    expect(await second).toStrictEqual(refused)
    expect(await move.move.request('switch')).toStrictEqual(refused)
  })
})
