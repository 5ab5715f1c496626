import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Outcome } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('streams into a writer', () => {
  it('write lines of JSON unchanged', async () => {
    const writer = await fixture.open()
    const lines = Array.from({ length: 500 }, (_, index) => `{"id":"i${index}","pk":"k${index % 9}","exact": 1.50}\n`)
    await pipeline(
      Readable.from(
        Buffer.from(lines.join(''))
          .toString()
          .match(/[^]{1,97}/g)!
          .map((part) => Buffer.from(part))
      ),
      writer.writable()
    )

    expect(writer.stats().written).toBe(500)
  })

  it('write objects, and report rejected objects', async () => {
    const writer = await fixture.open()
    const rejected: string[] = []
    const onRejected = (outcome: Outcome & { kind: 'rejected' }): void => void rejected.push(outcome.code)
    await pipeline(
      Readable.from([{ id: 'a', pk: 'k' }, { pk: 'k' }, [{ id: 'b', pk: 'k' }, { id: 'c' }]]),
      writer.writable({ onRejected })
    )

    expect(writer.stats().written).toBe(2)
    expect(rejected.toSorted()).toEqual(['FIELD_MISSING', 'ID_MISSING'])
  })

  it('fail with the first rejected record if there is no `onRejected`', async () => {
    const writer = await fixture.open()

    await expect(pipeline(Readable.from([{ id: 'a', pk: 'k' }, { pk: 'k' }]), writer.writable())).rejects.toMatchObject(
      {
        code: 'RECORD_REJECTED'
      }
    )
  })

  it('wait while the byte limit is reached', async () => {
    const writer = await fixture.open({ maxBytes: 200_000 })
    let maxPending = 0
    async function* records(): AsyncGenerator<object> {
      for (let index = 0; index < 3000; index++) {
        maxPending = Math.max(maxPending, writer.stats().pendingBytes)
        yield { id: `i${index}`, pk: `k${index % 50}`, text: 'x'.repeat(500) }
      }
    }
    await pipeline(Readable.from(records()), writer.writable())

    expect(writer.stats().written).toBe(3000)
    expect(maxPending).toBeLessThan(230_000)
  })
})
