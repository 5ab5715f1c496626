import type { Splice, StampedBytes } from '@keystamp/core'

/**
 * Puts members at the top of a record in place of all that have their names: `values` are JSON texts in the order of the names, and
 * undefined leaves what is there.
 */
type PropertyEdit = (stamped: StampedBytes, values: readonly (string | undefined)[]) => StampedBytes

/**
 * Leaves the `dropped` members out and puts the `added` ones in, by splices: the record's bytes stay as they are.
 * None of them may be, or hold, what the plan or an earlier edit has put there.
 */
export function createPropertyEdit(dropped: readonly string[], added: readonly string[]): PropertyEdit {
  const names = added.map((name) => `${JSON.stringify(name)}:`)
  const search = createNameSearch([...dropped, ...added])

  return (stamped, values) => {
    const { splices, isEmpty } = search.mayFind(stamped)
      ? withoutMembers(stamped, leaves)
      : { splices: [...stamped.splices], isEmpty: hasNoMember(stamped) }
    let isFirst = isEmpty && !splices.some((splice) => isAtTheEnd(splice, stamped))
    const at = stamped.end - 1
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue
      splices.push({ at, end: at, before: (isFirst ? '' : ',') + names[index] + value, value: undefined })
      isFirst = false
    }
    return { ...stamped, splices }

    function leaves(member: number): boolean {
      if (isGone(stamped, member)) return true
      const index = search.indexOf(stamped, member)
      return index >= 0 && (index < dropped.length || values[index - dropped.length] !== undefined)
    }
  }
}

/** What is left of the record, and whether that is nothing but what the plan adds. */
interface Remains {
  readonly splices: Splice[]
  readonly isEmpty: boolean
}

function withoutMembers(stamped: StampedBytes, leaves: (member: number) => boolean): Remains {
  const { members } = stamped
  const cuts = cutMembers(stamped, leaves)
  if (cuts.length === 0) return { splices: [...stamped.splices], isEmpty: members.size === 0 }
  // what was cut before, such as a repeated `id`, lies inside a cut
  const others = stamped.splices.filter((splice) => !cuts.some(({ at, end }) => at <= splice.at && splice.at < end))
  const splices = [...others, ...cuts].toSorted((one, other) => one.at - other.at)
  const isEmpty = cuts[0].at === members.nameStart(0) && cuts[0].end === members.valueEnd(members.size - 1)
  if (isEmpty) leadWithoutComma(splices, stamped)
  return { splices, isEmpty }
}

/** A cut for each run of members that leave, with the commas that are too many then. */
function cutMembers({ members }: StampedBytes, leaves: (member: number) => boolean): readonly Splice[] {
  const cuts: Splice[] = []
  const { size } = members
  let first = -1
  for (let member = 0; member < size; member++) {
    const isLeaving = leaves(member)
    if (isLeaving && first < 0) first = member
    if (isLeaving || first < 0) continue
    cuts.push(cut(members.nameStart(first), members.nameStart(member)))
    first = -1
  }
  // nothing follows that would need the comma before
  if (first >= 0) cuts.push(cut(first === 0 ? members.nameStart(0) : members.valueEnd(first - 1), members.valueEnd(size - 1)))
  return cuts
}

/** Whether the plan or an earlier edit has cut the member. */
function isGone({ members, splices }: StampedBytes, member: number): boolean {
  const start = members.nameStart(member)
  return splices.some(({ at, end }) => at <= start && start < end)
}

function cut(at: number, end: number): Splice {
  return { at, end, before: '', value: undefined }
}

/** What the plan adds stands behind members that are gone now. */
function leadWithoutComma(splices: Splice[], stamped: StampedBytes): void {
  const index = splices.findIndex((splice) => isAtTheEnd(splice, stamped))
  if (index < 0) return
  const { at, end, before, value } = splices[index]
  splices[index] = { at, end, before: before.replace(/^,/, ''), value }
}

function hasNoMember({ bytes, start, end }: StampedBytes): boolean {
  let from = start + 1
  // below the quote that a name begins with there is only whitespace
  while (from < end - 1 && bytes[from] <= SPACE) from++
  return from === end - 1
}

const SPACE = 0x20

function isAtTheEnd({ at, end }: Splice, stamped: StampedBytes): boolean {
  return at === end && at === stamped.end - 1
}

/** Looks for members at the top of records by their names. */
interface NameSearch {
  /** False where the record certainly has none of them, which is told at a glance. */
  readonly mayFind: (stamped: StampedBytes) => boolean
  /** Which of the names the member has; -1 for another. */
  readonly indexOf: (stamped: StampedBytes, member: number) => number
}

function createNameSearch(names: readonly string[]): NameSearch {
  const quoted = names.map((name) => Buffer.from(JSON.stringify(name)))

  function mayFind({ bytes, start, end }: StampedBytes): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
    // a name can be written with escapes in many ways
    return text.includes(BACKSLASH) || quoted.some((name) => text.includes(name))
  }

  function indexOf({ bytes, members }: StampedBytes, member: number): number {
    const start = members.nameStart(member)
    for (let each = 0; each < quoted.length; each++) if (isAt(quoted[each], bytes, start)) return each
    return hasEscape(bytes, start + 1) ? names.indexOf(members.name(member)) : -1
  }

  return { mayFind, indexOf }
}

const BACKSLASH = 0x5c
const QUOTE = 0x22

function isAt(name: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let each = 0; each < name.length; each++) if (bytes[start + each] !== name[each]) return false
  return true
}

function hasEscape(bytes: Uint8Array, start: number): boolean {
  let at = start
  while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  return bytes[at] === BACKSLASH
}
