import { describe, expect, it } from 'vitest'
import { createAuthGrace } from '../../src/lifecycle/auth-grace.ts'

function openGrace(): {
  readonly clock: { ms: number }
  readonly grace: ReturnType<typeof createAuthGrace>
  readonly reads: () => number
} {
  const clock = { ms: 0 }
  let reads = 0
  const reread = async (): Promise<void> => void reads++
  const grace = createAuthGrace({ clock: { now: () => clock.ms }, graceMs: 1000, reread })
  return { clock, grace, reads: () => reads }
}

describe('a grace period for refused credentials', () => {
  it('does not exist before the service has accepted the credentials once', () => {
    const { grace, reads } = openGrace()

    expect(grace.refused('Kafka')).toBe(false)
    expect(grace.waits).toEqual([])
    expect(reads()).toBe(0)
  })

  it('begins with the first refusal after a success and ends after its duration', () => {
    const { clock, grace } = openGrace()
    grace.accepted('Kafka')
    clock.ms = 5000

    expect(grace.refused('Kafka')).toBe(true)
    clock.ms = 5999
    expect(grace.refused('Kafka')).toBe(true)
    expect(grace.waits).toEqual([{ service: 'Kafka', sinceMs: 5000 }])
    clock.ms = 6000
    expect(grace.refused('Kafka')).toBe(false)
  })

  it('begins again when the credentials were accepted in between', () => {
    const { clock, grace } = openGrace()
    grace.accepted('Cosmos DB')
    grace.refused('Cosmos DB')
    clock.ms = 900
    grace.accepted('Cosmos DB')
    expect(grace.waits).toEqual([])
    clock.ms = 1500

    expect(grace.refused('Cosmos DB')).toBe(true)
  })

  it('is separate for each service', () => {
    const { grace } = openGrace()
    grace.accepted('Cosmos DB')

    expect(grace.refused('Kafka')).toBe(false)
    expect(grace.refused('Cosmos DB')).toBe(true)
  })

  it('reads the secret files again at each refusal, one read at a time', async () => {
    const { grace, reads } = openGrace()
    grace.accepted('Kafka')
    grace.refused('Kafka')
    grace.refused('Kafka')
    expect(reads()).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    grace.refused('Kafka')

    expect(reads()).toBe(2)
  })
})
