import type { StampedBytes } from '@keystamp/core'

/** Looks for members at the top of records by their names. */
export interface NameSearch {
  /** False where the record certainly has none of them, which is told at a glance. */
  readonly mayFind: (stamped: StampedBytes) => boolean
  /** Which of the names the member has; -1 for another. */
  readonly indexOf: (stamped: StampedBytes, member: number) => number
}

export function createNameSearch(names: readonly string[]): NameSearch {
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
