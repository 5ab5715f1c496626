import { expect, it } from 'vitest'
import { createRejectionHandler } from '../../src/dead-letter/rejection-handler.ts'
import { recordAt } from '../dead-letter/sample.ts'
import { createDecoder } from '../../src/decode/decoder.ts'

const BATCH = recordAt(11, {
  key: null,
  value: null,
  oversizedBatch: { firstOffset: '7', lastOffset: '11', bytes: 600, maxBytes: 1000 }
})

const decoder = createDecoder({
  key: { format: 'text' },
  value: { format: 'json' },
  registry: undefined,
  numbers: { int64: 'string', decimal: 'string' }
})

it('a batch above the size limit is rejected with its offsets, and is not a tombstone', async () => {
  expect(await decoder.decode(BATCH)).toMatchObject({
    ok: false,
    code: 'BATCH_TOO_LARGE',
    message: expect.stringContaining(
      'The batch of offsets 7 to 11 (600 bytes as it was fetched) takes more than 1000 bytes of memory'
    ) as string
  })
})

it('a batch above the size limit stops the sink under `onOversizedBatch: stop`, even if other rejected records are skipped', async () => {
  const fixture = createRejectionHandler({
    policy: 'skip',
    writer: undefined,
    tolerance: undefined,
    stopsOn: new Set(['BATCH_TOO_LARGE'])
  })
  const ends: (Error | undefined)[] = []
  const rejection = await decoder.decode(BATCH)
  if (rejection.ok) throw new Error('it was decoded')

  fixture.take(BATCH, { ...rejection, code: 'DECODE_FAILED' }, (error) => ends.push(error))
  fixture.take(BATCH, rejection, (error) => ends.push(error))

  expect(ends).toMatchObject([
    undefined,
    {
      code: 'RECORD_REJECTED',
      message: expect.stringContaining(
        'The batch at topic "cars", partition 3, offset 11 was refused (BATCH_TOO_LARGE)'
      ) as string
    }
  ])
})
