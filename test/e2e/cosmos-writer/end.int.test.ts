import { describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('a writer', () => {
  it('waits in `close` for open writes, and accepts no more writes', async () => {
    const writer = await fixture.open()
    const open1 = Array.from({ length: 300 }, (_, index) =>
      writer.write({ kind: 'upsert', record: { id: `i${index}`, pk: 'k' } })
    )
    await writer.close()

    expect((await Promise.all(open1)).every(({ kind }) => kind === 'written')).toBe(true)
    await expect(writer.write({ kind: 'upsert', record: { id: 'z', pk: 'k' } })).rejects.toMatchObject({
      code: 'WRITER_CLOSED'
    })
  })

  it('reports a write after `close` as not sent', async () => {
    const writer = await fixture.open()
    await writer.close()
    const late = await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } }).catch((error: unknown) => error)

    expect(late).toMatchObject({ code: 'WRITER_CLOSED', message: expect.stringContaining('was not sent') })
    expect((late as Error).cause).toBeUndefined()
  })

  it('rejects the writes that still wait at the deadline of `close`', async () => {
    const writer = await fixture.open()
    fixture.emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 429, retryAfterMs: 50 } })
    const waiting = writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })
    const failure = waiting.catch((error: unknown) => error)
    await writer.close(100)

    expect(await failure).toMatchObject({ code: 'WRITER_CLOSED' })
    expect(writer.stats().pendingBytes).toBe(0)
  })

  it('continues to write after an operation has failed at the end of `retryForMs`', async () => {
    const writer = await fixture.open({ retryForMs: 150 })
    const fault = fixture.emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 503 } })
    await expect(writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })).rejects.toMatchObject({
      code: 'COSMOS_UNAVAILABLE',
      retriable: true
    })
    fixture.emulator.faults.clear(fault)

    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } }))).toBe('written')
  })
})
