import { KeystampError } from '@keystamp/core'
import { CosmosError } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { TopicPattern } from '../../src/config/topic-pattern.ts'
import { createAuthGrace, type AuthGrace } from '../../src/lifecycle/auth-grace.ts'
import type { Target } from '../../src/write/target.ts'
import { containerOf, createTargets, type Targets } from '../../src/write/targets.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const AWAY = new CosmosError('COSMOS_UNAVAILABLE', 'No answer from Cosmos DB.', { retriable: true })
const NO_REDIS = Object.assign(new KeystampError('BUDGET_UNREACHABLE', 'Redis at r does not answer.'), {
  retriable: true
})
const REFUSED = new CosmosError('COSMOS_UNAUTHORIZED', 'Cosmos DB refused it.', {})

describe('the containers of a sink', () => {
  it('are each opened once', async () => {
    const { targets, opened } = begin([])
    const [one, other] = await Promise.all([targets.open('a'), targets.open('b')])

    expect(one).toBe(other)
    expect(opened).toEqual(['c'])
    expect(targets.of('b')).toBe(one)
  })

  it('are opened once Cosmos DB answers, and reported as a wait until then', async () => {
    const { targets, opened, clock } = begin([AWAY, AWAY])
    const target = targets.open('a')
    await turn()
    expect(targets.waits).toMatchObject([{ reason: 'cosmos', detail: expect.stringContaining('No answer') }])

    await clock.runUntil(10_000)
    await target

    expect(opened).toHaveLength(3)
    expect(targets.waits).toEqual([])
  })

  it('are retried if Cosmos DB refuses credentials that it accepted before', async () => {
    const auth = createAuthGrace({ clock: { now: () => 0 }, graceMs: 1000, reread: () => Promise.resolve() })
    auth.accepted('Cosmos DB')
    const { targets, opened, clock } = begin([REFUSED], auth)
    const target = targets.open('a')
    await turn()
    expect(auth.waits).toMatchObject([{ service: 'Cosmos DB' }])

    await clock.runUntil(10_000)
    await target
    expect(opened).toHaveLength(2)
  })

  it('are retried while the Redis of their budget is unavailable, with the wait reason `redis`', async () => {
    const { targets, opened, clock } = begin([NO_REDIS])
    const target = targets.open('a')
    await turn()
    expect(targets.waits).toMatchObject([
      { reason: 'redis', detail: 'container "c" is not open yet: Redis at r does not answer' }
    ])

    await clock.runUntil(10_000)
    await target

    expect(opened).toHaveLength(2)
    expect(targets.waits).toEqual([])
  })

  it('report a wait for Cosmos DB until the first answer', async () => {
    const { targets } = begin([])
    const target = targets.open('a')
    expect(targets.waits).toMatchObject([
      { reason: 'cosmos', detail: 'container "c" is not open yet: no answer so far' }
    ])

    await target
    expect(targets.waits).toEqual([])
  })

  it('are not retried if Cosmos DB refuses to open them', async () => {
    const { targets, opened } = begin([REFUSED])

    await expect(targets.open('a')).rejects.toBe(REFUSED)
    expect(opened).toHaveLength(1)
  })

  it('are not retried any more once they are closed', async () => {
    const { targets, opened, clock } = begin(Array.from({ length: 100 }, () => AWAY))
    const failed = targets.open('a').catch((error: unknown) => error)
    await turn()
    await targets.close(0)

    expect(await failed).toBe(AWAY)
    expect(clock.pending).toBe(0)
    expect(opened).toHaveLength(1)
  })

  it('are closed if they open after `close`, which waits for them only until its deadline', async () => {
    const closed: number[] = []
    let open!: (target: Target) => void
    const clock = new VirtualClock()
    const targets = createTargets({
      cosmos: { container: 'c' },
      kafka: { topics: [] },
      clock,
      openTarget: () =>
        new Promise((resolve) => {
          open = resolve
        })
    })
    void targets.open('a')
    let isOver = false
    const over = targets.close(100).then(() => (isOver = true))
    await clock.runUntil(99)
    expect(isOver).toBe(false)

    await clock.runUntil(100)
    await over
    expect(closed).toEqual([])

    open({ close: (deadlineMs: number) => Promise.resolve(void closed.push(deadlineMs)) } as unknown as Target)
    await turn()

    expect(closed).toEqual([0])
  })
})

interface Begun {
  readonly targets: Targets
  readonly opened: string[]
  readonly clock: VirtualClock
}

function begin(failures: Error[], auth?: AuthGrace): Begun {
  const opened: string[] = []
  const clock = new VirtualClock()
  const targets = createTargets({
    cosmos: { container: 'c' },
    kafka: { topics: [] },
    clock,
    auth,
    openTarget: (container) => {
      opened.push(container)
      const failure = failures.shift()
      return failure === undefined
        ? Promise.resolve({ container, waits: [], close: () => Promise.resolve() } as unknown as Target)
        : Promise.reject(failure)
    }
  })
  return { targets, opened, clock }
}

it.each([
  ['c', 'fleet.eu.drives', 'c'],
  ['all-${topic}', 'fleet.eu.drives', 'all-fleet.eu.drives'],
  ['${what}-of-${1}', 'fleet.eu.drives', 'drives-of-eu'],
  ['d${3}', 'fleet.eu.drives', 'd'],
  ['${3}', 'fleet.eu.drives.2', '.2']
])('the container %j gets the records of topic %s under the name %j', (container, topic, name) => {
  const topics = new TopicPattern(String.raw`fleet\.(\w+)\.(?P<what>\w+)(\.\d)?`)
  expect(containerOf({ cosmos: { container }, kafka: { topics } }, topic)).toBe(name)
})

it('a topic whose groups give no name of a container is refused', async () => {
  const kafka = { topics: new TopicPattern('drives(-.*)?') }
  const targets = createTargets({
    cosmos: { container: '${1}' },
    kafka,
    clock: new VirtualClock(),
    openTarget: opensNothing
  })

  await expect(targets.open('drives')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message:
      'Topic "drives": cosmos.container "${1}" gives no name, because its group of kafka.topicPattern matches nothing.'
  })
})

function opensNothing(): Promise<Target> {
  return Promise.reject(new Error('opened'))
}
