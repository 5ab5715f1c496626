import { describe, expect, it } from 'vitest'
import { useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('a writer', () => {
  it('has counters by physical partition, and emits an event without keys and payloads for each batch', async () => {
    const writer = await fixture.open()
    const events: object[] = []
    writer.events.on('batchAnswered', (event) => events.push(event))
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        writer.write({ kind: 'upsert', record: { id: `i${index}`, pk: `secret${index}` } })
      )
    )
    const { ranges, written, budgetRuPerSecond } = writer.stats()

    expect(written).toBe(50)
    expect(budgetRuPerSecond).toBe(30_000)
    expect(ranges).toHaveLength(3)
    expect(ranges.reduce((sum, { settled }) => sum + settled, 0)).toBe(50)
    expect(ranges.reduce((sum, { batches }) => sum + batches, 0)).toBe(events.length)
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('coalesces waiting upserts of one document, and completes all these upserts', async () => {
    const writer = await fixture.open()
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) => writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n } }))
    )

    expect(await fixture.read('a', 'k')).toMatchObject({ n: 49 })
    expect(outcomes.every(({ kind }) => kind === 'written')).toBe(true)
    expect(writer.stats().superseded).toBe(49)
  })

  it('follows a change of the provisioned throughput while it writes', async () => {
    const writer = await fixture.open({ followOfferMs: 50, share: '50%' })
    const { resource } = await fixture.container.readOffer()
    await fixture.client
      .offer(resource!.id)
      .replace({ ...resource!, content: { ...resource!.content!, offerThroughput: 20_000 } })

    await expect.poll(() => writer.stats().budgetRuPerSecond).toBe(10_000)
  })
})
