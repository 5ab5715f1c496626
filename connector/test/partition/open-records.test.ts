import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { OpenRecords } from '../../src/partition/open-records.ts'
import { recordAt } from './records.ts'

describe('the records of a partition', () => {
  // checks L1
  it('are committable up to the first record without an outcome', () => {
    const records = recordsFrom(5)
    const [first, second, third] = [recordAt(5), recordAt(6), recordAt(9)]
    for (const record of [first, second, third]) records.open(record)
    records.passTo(toPosition(10))

    records.settle(third)
    records.settle(first)

    expect(records.committable).toBe(6)
    expect(records.oldest).toBe(6)
  })

  it('are committable past invisible records after the last one, once no record is in flight', () => {
    const records = recordsFrom(0)
    const record = recordAt(0)
    records.open(record)
    records.passTo(toPosition(3))
    expect(records.committable).toBe(0)

    records.settle(record)

    expect(records.committable).toBe(3)
  })

  it('never have a smaller committable offset than before, even if records follow invisible ones', () => {
    const records = recordsFrom(0)
    records.open(recordAt(0))
    records.passTo(toPosition(3))
    records.settle(recordAt(0))
    expect(records.committable).toBe(3)

    records.open(recordAt(4))

    expect(records.committable).toBe(3)
  })

  it('have a size in bytes while they are in flight', () => {
    const records = recordsFrom(0)
    const record = recordAt(0, 'x'.repeat(1000))
    records.open(record)
    expect(records.bytes).toBeGreaterThan(1000)

    records.settle(record)

    expect(records.bytes).toBe(0)
  })

  it('have a lag: the number of records between the committable offset and the end of the partition', () => {
    const records = recordsFrom(10)
    records.endsAt(toPosition(25))

    expect(records.lag).toBe(15)
  })
})

function recordsFrom(position: number): OpenRecords {
  const records = new OpenRecords()
  records.beginAt(toPosition(position))
  return records
}
