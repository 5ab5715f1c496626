import type { Splice, StampedBytes } from '@keystamp/core'

/**
 * Puts members at the top of a record in place of all that have their names: `values` are JSON texts in the order of the names, and
 * undefined leaves what is there.
 */
export type MemberEdit = (stamped: StampedBytes, values: readonly (string | undefined)[]) => StampedBytes

/**
 * Leaves the `dropped` members out and puts the `added` ones in, by splices: the record's bytes stay as they are.
 * None of them may be, or hold, what the plan writes into them.
 */
export function createMemberEdit(dropped: readonly string[], added: readonly string[]): MemberEdit {
  const names = added.map((name) => `${JSON.stringify(name)}:`)

  return (stamped, values) => {
    const leaves = (name: string): boolean => {
      if (dropped.includes(name)) return true
      const index = added.indexOf(name)
      return index >= 0 && values[index] !== undefined
    }
    const { cuts, isEmpty } = cutMembers(stamped, leaves)
    const splices = cuts.length === 0 ? [...stamped.splices] : merge(stamped.splices, cuts)
    if (isEmpty && stamped.members.size > 0) leadWithoutComma(splices, stamped)
    let isFirst = isEmpty && !splices.some((splice) => isAtTheEnd(splice, stamped))
    const at = stamped.end - 1
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue
      splices.push({ at, end: at, before: (isFirst ? '' : ',') + names[index] + value, value: undefined })
      isFirst = false
    }
    return { ...stamped, splices }
  }
}

/** A cut for each run of members that leave, with the commas that are too many then. */
function cutMembers({ members }: StampedBytes, leaves: (name: string) => boolean): { cuts: readonly Splice[]; isEmpty: boolean } {
  const cuts: Splice[] = []
  const { size } = members
  let left = size
  for (let first = 0; first < size; first++) {
    if (!leaves(members.name(first))) continue
    let last = first
    while (last + 1 < size && leaves(members.name(last + 1))) last++
    left -= last + 1 - first
    if (last + 1 < size) cuts.push(cut(members.nameStart(first), members.nameStart(last + 1)))
    // nothing follows that would need the comma before
    else cuts.push(cut(first === 0 ? members.nameStart(0) : members.valueEnd(first - 1), members.valueEnd(last)))
    first = last
  }
  return { cuts, isEmpty: left === 0 }
}

function cut(at: number, end: number): Splice {
  return { at, end, before: '', value: undefined }
}

/** In order; what the plan cuts of a repeated `id` or `ttl` may lie inside a cut. */
function merge(splices: readonly Splice[], cuts: readonly Splice[]): Splice[] {
  const others = splices.filter((splice) => !cuts.some(({ at, end }) => at <= splice.at && splice.at < end))
  return [...others, ...cuts].toSorted((one, other) => one.at - other.at)
}

/** What the plan adds stands behind members that are gone now. */
function leadWithoutComma(splices: Splice[], stamped: StampedBytes): void {
  const index = splices.findIndex((splice) => isAtTheEnd(splice, stamped))
  if (index < 0) return
  const { at, end, before, value } = splices[index]
  splices[index] = { at, end, before: before.replace(/^,/, ''), value }
}

function isAtTheEnd({ at, end }: Splice, stamped: StampedBytes): boolean {
  return at === end && at === stamped.end - 1
}
