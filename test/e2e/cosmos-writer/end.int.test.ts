import { describe, expect, it } from 'vitest'
import { codeOf, usePlace } from './use-place.ts'

const place = usePlace()

describe('the end of a writer', () => {
  it('waits for what is open, and takes nothing more', async () => {
    const writer = await place.open()
    const open1 = Array.from({ length: 300 }, (_, index) =>
      writer.write({ kind: 'upsert', record: { id: `i${index}`, pk: 'k' } })
    )
    await writer.close()

    expect((await Promise.all(open1)).every(({ kind }) => kind === 'written')).toBe(true)
    await expect(writer.write({ kind: 'upsert', record: { id: 'z', pk: 'k' } })).rejects.toMatchObject({
      code: 'WRITER_CLOSED'
    })
  })

  it('says of a write that comes later that it was not sent', async () => {
    const writer = await place.open()
    await writer.close()
    const late = await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } }).catch((error: unknown) => error)

    expect(late).toMatchObject({ code: 'WRITER_CLOSED', message: expect.stringContaining('was not sent') })
    expect((late as Error).cause).toBeUndefined()
  })

  it('gives up at the deadline, and tells those who wait', async () => {
    const writer = await place.open()
    place.emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 429, retryAfterMs: 50 } })
    const waiting = writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })
    const told = waiting.catch((error: unknown) => error)
    await writer.close(100)

    expect(await told).toMatchObject({ code: 'WRITER_CLOSED' })
    expect(writer.stats().pendingBytes).toBe(0)
  })

  it('comes by itself when Cosmos DB fails for longer than it tries: the operation is told so, and others go on', async () => {
    const writer = await place.open({ retryForMs: 150 })
    const fault = place.emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 503 } })
    await expect(writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })).rejects.toMatchObject({
      code: 'COSMOS_UNAVAILABLE',
      retriable: true
    })
    place.emulator.faults.clear(fault)

    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } }))).toBe('written')
  })
})
