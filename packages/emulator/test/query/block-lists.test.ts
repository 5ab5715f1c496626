import { describe, expect, it } from 'vitest'
import { QueryMemory } from '../../src/query/block-lists.ts'

const BLOCKS = 2000

describe('the memory of a query', () => {
  it('is used again after its release, and only then', () => {
    const [one, other] = [new QueryMemory(), new QueryMemory()]
    const first = Array.from({ length: 10 }, () => one.take())
    const meanwhile = Array.from({ length: 10 }, () => other.take())
    one.release()
    const again = Array.from({ length: 10 }, () => other.take())
    other.release()

    expect(new Set([...first, ...meanwhile]).size).toBe(20)
    expect(new Set(again)).toEqual(new Set(first))
  })

  it('has no limit, and keeps 64 MB at most', () => {
    const memory = new QueryMemory()
    const taken = Array.from({ length: BLOCKS }, () => memory.take())
    memory.release()
    const again = Array.from({ length: BLOCKS }, () => memory.take())
    memory.release()
    const kept = new Set(taken)

    expect(kept.size).toBe(BLOCKS)
    expect(again.filter((block) => kept.has(block)).length * 65_536).toBe(64 * 2 ** 20)
  })

  it('can be released twice', () => {
    const memory = new QueryMemory()
    memory.take()
    memory.release()
    memory.release()

    expect(memory.take()).not.toBe(memory.take())
    memory.release()
  })
})
