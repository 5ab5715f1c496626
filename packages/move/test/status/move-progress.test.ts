import { describe, expect, it } from 'vitest'
import { ProgressMeter } from '../../src/status/move-progress.ts'

interface Used {
  readRu: number
  writtenRu: number
}

function containerOf(used: Used, share: number | undefined): ConstructorParameters<typeof ProgressMeter>[0] {
  const stats = () => ({
    reads: { chargeRu: used.readRu, ruPerSecond: share },
    writes: { chargedRu: used.writtenRu, budgetRuPerSecond: share }
  })
  return { stats } as unknown as ConstructorParameters<typeof ProgressMeter>[0]
}

function copyOf(stored: number, ...documents: readonly number[]): NonNullable<Parameters<ProgressMeter['look']>[0]> {
  const ranges = documents.map((count) => ({ documents: count }))
  return { ranges, counts: { stored, deleted: 0 } } as unknown as NonNullable<Parameters<ProgressMeter['look']>[0]>
}

describe('the progress of a move', () => {
  it('has rates of the last 20 seconds, and the time left at this rate', () => {
    const [from, to] = [
      { readRu: 0, writtenRu: 0 },
      { readRu: 0, writtenRu: 0 }
    ]
    const meter = new ProgressMeter(containerOf(from, 100), containerOf(to, undefined))
    meter.documents = 10_000
    let copy = copyOf(0, 0, 0)
    for (let second = 0; second <= 60; second++) {
      const stored = second * (second < 30 ? 10 : 100)
      copy = copyOf(stored, Math.floor(stored / 500) * 500, 0)
      Object.assign(from, { readRu: second * 4 })
      Object.assign(to, { readRu: second * 3, writtenRu: second * 50 })
      meter.look(copy, second * 1000)
    }
    expect(meter.progress({ phase: 'copy', copy }, null)).toEqual({
      copied: 6000,
      documents: 10_000,
      documentsPerSecond: 100,
      secondsLeft: 40,
      ruPerSecond: { from: 4, to: 53 },
      shareRuPerSecond: { from: 100, to: null },
      comparison: null
    })
  })

  it('counts what earlier processes have copied, and is never more than all documents', () => {
    const meter = new ProgressMeter(
      containerOf({ readRu: 0, writtenRu: 0 }, 1),
      containerOf({ readRu: 0, writtenRu: 0 }, 1)
    )
    meter.documents = 1000
    meter.look(copyOf(0, 300, 200), 0)
    expect(meter.progress({ phase: 'copy', copy: copyOf(100, 300, 200) }, null).copied).toBe(600)
    expect(meter.progress({ phase: 'copy', copy: copyOf(900, 500, 400) }, null).copied).toBe(1000)
  })

  it('begins with new rates in the other direction', () => {
    const used = { readRu: 0, writtenRu: 0 }
    const meter = new ProgressMeter(containerOf(used, 1), containerOf(used, 1))
    for (let second = 0; second <= 10; second++) meter.look(copyOf(second * 1000, 0), second * 1000)
    for (let second = 11; second <= 15; second++) meter.look(copyOf(second - 11, 0), second * 1000)
    const { documentsPerSecond, secondsLeft } = meter.progress({ phase: 'reverse', copy: copyOf(4, 0) }, null)
    expect(documentsPerSecond).toBe(1)
    expect(secondsLeft).toBeNull()
  })
})
