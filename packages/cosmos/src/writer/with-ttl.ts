import type { StampedBytes } from '@keystamp/core'

type Splice = StampedBytes['splices'][number]

/** The record with this time to live: in the place of its own, or behind its last member. */
export function withTtl(stamped: StampedBytes, ttl: number): StampedBytes {
  const { members, splices, end } = stamped
  const member = members.find('ttl')
  if (member >= 0) return { ...stamped, splices: inOrder(splices, spliceOf(members.valueStart(member), members.valueEnd(member), '', ttl)) }
  const isEmpty = members.size === 0 && splices.length === 0
  return { ...stamped, splices: [...splices, spliceOf(end - 1, end - 1, isEmpty ? '"ttl":' : ',"ttl":', ttl)] }
}

function spliceOf(at: number, end: number, before: string, ttl: number): Splice {
  return { at, end, before, value: ttl }
}

function inOrder(splices: readonly Splice[], added: Splice): readonly Splice[] {
  return [...splices, added].toSorted((a, b) => a.at - b.at)
}
