import { describe, expect, it } from 'vitest'
import { readMetadata, writeMetadata } from '../../src/kafka/consumer-port.ts'

describe('metadata of a committed offset', () => {
  it.each([true, false])('is read as it was written (hasLeft: %s)', (hasLeft) => {
    const metadata = { plan: 'v1:abc', by: 'somebody', hasLeft }

    expect(readMetadata(writeMetadata(metadata))).toEqual(metadata)
  })

  it('contains the number of partitions of the topic if it is known', () => {
    expect(readMetadata(writeMetadata({ plan: 'a', by: 'b', hasLeft: true, partitions: 4 }))?.partitions).toBe(4)
  })

  it('contains the confirmation of a drained partition', () => {
    const drained = { id: 'by-vin:group', round: 2, from: 'a', to: 'b' }

    expect(readMetadata(writeMetadata({ plan: 'x', by: 'b', hasLeft: false, drained }))?.drained).toEqual(drained)
  })

  it.each(['', 'text', '{"broken', '{"other":1}', '[]', 'null'])(
    'is undefined if another tool has committed: %j',
    (text) => {
      expect(readMetadata(text)).toBeUndefined()
    }
  )
})
