import type { StampedBytes } from '@keystamp/core'
import { MemberTable } from '@keystamp/core/internal'

type Splice = StampedBytes['splices'][number]

/** Writes a property into a record: replaces an existing one, or inserts it after the last property. */
export function withMember<T extends Pick<StampedBytes, 'bytes' | 'start' | 'end' | 'splices'>>(
  stamped: T,
  name: string,
  json: string
): T {
  const { splices, end } = stamped
  const members = new MemberTable(stamped)
  const member = members.find(name)
  if (member >= 0)
    return {
      ...stamped,
      splices: inOrder(splices, spliceOf(members.valueStart(member), members.valueEnd(member), json))
    }
  const isEmpty = members.size === 0 && splices.length === 0
  const property = `${JSON.stringify(name)}:${json}`
  return { ...stamped, splices: [...splices, spliceOf(end - 1, end - 1, isEmpty ? property : `,${property}`)] }
}

function spliceOf(at: number, end: number, before: string): Splice {
  return { at, end, before, value: undefined }
}

function inOrder(splices: readonly Splice[], added: Splice): readonly Splice[] {
  return [...splices, added].toSorted((a, b) => a.at - b.at)
}
