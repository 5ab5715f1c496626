import { KeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { TopicPattern } from '../../src/config/topic-pattern.ts'
import { findTopics, watchTopics } from '../../src/kafka/topics.ts'

const MISSING = new KeystampError('TOPIC_MISSING', 'gone')

describe('watchTopics', () => {
  it('reports the topics at intervals', async () => {
    const world = createWorld([['a'], ['a', 'b']])

    await world.pass(1000)
    await world.pass(1000)

    expect(world.reported).toEqual([['a'], ['a', 'b']])
  })

  it('reads the topics a second time before it reports a missing topic', async () => {
    const world = createWorld([MISSING, ['a'], MISSING, MISSING])

    await world.pass(1000)
    await world.pass(1000)
    expect(world.reported).toEqual([['a']])

    await world.pass(1000)
    await world.pass(1000)
    expect(world.reported).toEqual([['a'], MISSING])
  })

  it('reports nothing if Kafka does not answer, and reads the topics again at the next interval', async () => {
    const world = createWorld([new Error('no answer'), ['a']])

    await world.pass(1000)
    expect(world.reported).toEqual([])

    await world.pass(1000)
    expect(world.reported).toEqual([['a']])
  })

  it('reads the topics at once on request, but never twice at the same time', async () => {
    const world = createWorld([['a'], ['b']])

    world.watch.look()
    world.watch.look()
    await world.pass(0)

    expect(world.reported).toEqual([['a']])
  })

  it('reports nothing after it was stopped', async () => {
    const world = createWorld([['a']])

    world.watch.look()
    world.watch.stop()
    await world.pass(5000)

    expect(world.reported).toEqual([])
  })
})

function createWorld(answers: (readonly string[] | Error)[]) {
  const reported: (readonly string[] | Error)[] = []
  let now = 0
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  const clock = {
    now: () => now,
    schedule: (ms: number, run: () => void) => {
      const timer = {}
      timers.set(timer, { at: now + ms, run })
      return () => void timers.delete(timer)
    }
  }
  const find = async (): Promise<readonly string[]> => {
    const answer = answers.shift() ?? []
    if (answer instanceof Error) throw answer
    return answer
  }
  const watch = watchTopics({
    clock,
    everyMs: 1000,
    find,
    onFound: (topics) => reported.push(topics),
    onMissing: (error) => reported.push(error)
  })
  return { watch, reported, pass }

  async function pass(ms: number): Promise<void> {
    now += ms
    for (const [timer, { at, run }] of timers) {
      if (at > now) continue
      timers.delete(timer)
      run()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const admin = { listTopics: async () => ['trips-b', 'trips-a', 'other', '__consumer_offsets'] }

describe('findTopics', () => {
  it('returns the given names', async () => {
    expect(await findTopics(admin, ['trips-b', 'other'])).toEqual(['trips-b', 'other'])
  })

  it('throws an error that names all missing topics', async () => {
    await expect(findTopics(admin, ['nope', 'other', 'neither'])).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
      message: expect.stringContaining('There is no topic "nope", "neither"')
    })
  })

  it('returns all topics whose names match, in a stable order', async () => {
    expect(await findTopics(admin, new TopicPattern('trips-.*'))).toEqual(['trips-a', 'trips-b'])
    expect(await findTopics(admin, new TopicPattern('trips-.*'))).toEqual(['trips-a', 'trips-b'])
  })

  it('never returns internal topics of Kafka', async () => {
    expect(await findTopics(admin, new TopicPattern('.*'))).not.toContain('__consumer_offsets')
  })

  it('throws TOPIC_MISSING if no topic matches', async () => {
    await expect(findTopics(admin, new TopicPattern('cars.*'))).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
  })
})
