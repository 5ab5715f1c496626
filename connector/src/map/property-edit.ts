import type { Splice, StampedBytes } from '@keystamp/core'
import { BACKSLASH, MemberTable, QUOTE, SPACE } from '@keystamp/core/internal'

/**
 * Sets top-level properties of a record, replacing all properties with these names. `values` are JSON texts in the
 * order of the names; undefined leaves the property as it is.
 */
type PropertyEdit = (stamped: StampedBytes, values: readonly (string | undefined)[]) => StampedBytes

/**
 * Removes the `dropped` properties and sets the `added` ones by splices: the bytes of the record stay as they are. The
 * plan and earlier edits must not have written any of these properties, or anything inside them.
 */
export function createPropertyEdit(dropped: readonly string[], added: readonly string[]): PropertyEdit {
  const names = added.map((name) => `${JSON.stringify(name)}:`)
  const search = createNameSearch([...dropped, ...added])

  return (stamped, values) => {
    const { splices, isEmpty } = search.mayFind(stamped)
      ? withoutMembers(stamped, isRemoved)
      : { splices: [...stamped.splices], isEmpty: hasNoMember(stamped) }
    let isFirst = isEmpty && !splices.some((splice) => isAtTheEnd(splice, stamped))
    const at = stamped.end - 1
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue
      splices.push({ at, end: at, before: (isFirst ? '' : ',') + names[index] + value, value: undefined })
      isFirst = false
    }
    return { ...stamped, splices }

    function isRemoved(members: MemberTable, member: number): boolean {
      if (isGone(stamped, members.nameStart(member))) return true
      const index = search.indexOf(stamped, members, member)
      return index >= 0 && (index < dropped.length || values[index - dropped.length] !== undefined)
    }
  }
}

type IsRemoved = (members: MemberTable, member: number) => boolean

/** Result of a removal: the splices of the record, and whether only properties of the plan are left. */
interface Remains {
  readonly splices: Splice[]
  readonly isEmpty: boolean
}

function withoutMembers(stamped: StampedBytes, isRemoved: IsRemoved): Remains {
  const members = new MemberTable(stamped)
  const cuts = cutMembers(members, isRemoved)
  if (cuts.length === 0) return { splices: [...stamped.splices], isEmpty: members.size === 0 }
  // leave out splices that lie inside a new cut, such as the removal of a repeated `id`
  const others = stamped.splices.filter((splice) => !cuts.some(({ at, end }) => at <= splice.at && splice.at < end))
  const splices = [...others, ...cuts].toSorted((one, other) => one.at - other.at)
  const isEmpty = cuts[0].at === members.nameStart(0) && cuts[0].end === members.valueEnd(members.size - 1)
  if (isEmpty) leadWithoutComma(splices, stamped)
  return { splices, isEmpty }
}

/** One cut for each run of removed properties, including the commas that are no longer needed. */
function cutMembers(members: MemberTable, isRemoved: IsRemoved): readonly Splice[] {
  const cuts: Splice[] = []
  const { size } = members
  let first = -1
  for (let member = 0; member < size; member++) {
    const isInRun = isRemoved(members, member)
    if (isInRun && first < 0) first = member
    if (isInRun || first < 0) continue
    cuts.push(cut(members.nameStart(first), members.nameStart(member)))
    first = -1
  }
  // no property follows the last run, so the cut includes the comma before the run
  if (first >= 0)
    cuts.push(cut(first === 0 ? members.nameStart(0) : members.valueEnd(first - 1), members.valueEnd(size - 1)))
  return cuts
}

/** Whether the plan or an earlier edit has cut the member that begins at `start`. */
function isGone({ splices }: StampedBytes, start: number): boolean {
  return splices.some(({ at, end }) => at <= start && start < end)
}

function cut(at: number, end: number): Splice {
  return { at, end, before: '', value: undefined }
}

/**
 * Removes the comma at the beginning of the plan's addition. Called when all properties before the addition are
 * removed.
 */
function leadWithoutComma(splices: Splice[], stamped: StampedBytes): void {
  const index = splices.findIndex((splice) => isAtTheEnd(splice, stamped))
  if (index < 0) return
  const { at, end, before, value } = splices[index]
  splices[index] = { at, end, before: before.replace(/^,/, ''), value }
}

function hasNoMember({ bytes, start, end }: StampedBytes): boolean {
  let from = start + 1
  // before the quote of a name, there is only whitespace
  while (from < end - 1 && bytes[from] <= SPACE) from++
  return from === end - 1
}

function isAtTheEnd({ at, end }: Splice, stamped: StampedBytes): boolean {
  return at === end && at === stamped.end - 1
}

/** Finds top-level properties by their names. */
interface NameSearch {
  /** Cheap check: false if the record certainly has none of the names. */
  readonly mayFind: (stamped: StampedBytes) => boolean
  /** Index of the property's name; -1 for another name. */
  readonly indexOf: (stamped: StampedBytes, members: MemberTable, member: number) => number
}

function createNameSearch(names: readonly string[]): NameSearch {
  const quoted = names.map((name) => Buffer.from(JSON.stringify(name)))

  function mayFind({ bytes, start, end }: StampedBytes): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
    // a name can be written with escapes
    return text.includes(BACKSLASH) || quoted.some((name) => text.includes(name))
  }

  function indexOf({ bytes }: StampedBytes, members: MemberTable, member: number): number {
    const start = members.nameStart(member)
    for (let each = 0; each < quoted.length; each++) if (isAt(quoted[each], bytes, start)) return each
    return hasEscape(bytes, start + 1) ? names.indexOf(members.name(member)) : -1
  }

  return { mayFind, indexOf }
}

function isAt(name: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let each = 0; each < name.length; each++) if (bytes[start + each] !== name[each]) return false
  return true
}

function hasEscape(bytes: Uint8Array, start: number): boolean {
  let at = start
  while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  return bytes[at] === BACKSLASH
}
