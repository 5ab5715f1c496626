import { parsePointer } from '@keystamp/core/internal'
import { type HashState, type Words128 } from './hash-state.ts'

/** A place on the way to values that a digest leaves out. */
export interface LeftOutPath {
  /** Whether the value here is left out. */
  readonly isLeftOut: boolean
  /** Whether there is a place below this one. */
  readonly hasChildren: boolean
  /** From 1 on: number of the member of the document whose position is asked for. 0: it is not. */
  readonly watched: number
  /** Place of a member, by the hash of its name. */
  readonly member: (names: Words128, at: number) => LeftOutPath | undefined
  /** Place of an element. */
  readonly element: (index: number) => LeftOutPath | undefined
}

/** Members that Cosmos DB adds to every document. */
const SYSTEM_PROPERTIES = ['_rid', '_self', '_etag', '_attachments', '_ts', '_lsn']

interface Branch {
  isLeftOut: boolean
  watched: number
  readonly children: Map<string, Branch>
}

/**
 * Place of the document itself. Throws a RangeError for a string that is no JSON pointer. `hashName` as the scan does.
 * `watched`: names of members whose positions are asked for.
 */
export function compileLeftOut(
  pointers: readonly string[],
  hashName: (name: string) => HashState,
  watched: readonly string[] = []
): LeftOutPath {
  const root = createBranch()
  for (const name of SYSTEM_PROPERTIES) branchAt(root, [name]).isLeftOut = true
  for (const text of pointers) {
    const pointer = parsePointer(text)
    if (pointer === undefined)
      throw new RangeError(`${JSON.stringify(text)} is no JSON pointer: begin it with a slash, such as /address/city.`)
    branchAt(root, pointer).isLeftOut = true
  }
  for (const [index, name] of watched.entries()) branchAt(root, [name]).watched = index + 1
  return compile(root, hashName)
}

function createBranch(): Branch {
  return { isLeftOut: false, watched: 0, children: new Map() }
}

function branchAt(root: Branch, pointer: readonly string[]): Branch {
  let branch = root
  for (const name of pointer) {
    let child = branch.children.get(name)
    if (child === undefined) branch.children.set(name, (child = createBranch()))
    branch = child
  }
  return branch
}

function compile({ isLeftOut, watched, children }: Branch, hashName: (name: string) => HashState): LeftOutPath {
  const places = [...children.values()].map((child) => compile(child, hashName))
  const byName = new Map([...children.keys()].map((name, index) => [name, places[index]]))
  const words = new Int32Array(children.size * 4)
  // one bit for each remainder of the first word: nearly all other names are told apart by it
  let filter = 0
  for (const [index, name] of [...children.keys()].entries()) {
    hashName(name).save(words, index * 4)
    filter |= 1 << words[index * 4]
  }
  return { isLeftOut, hasChildren: places.length > 0, watched, member, element: (index) => byName.get(String(index)) }

  function member(names: Words128, at: number): LeftOutPath | undefined {
    if ((filter & (1 << names[at])) === 0) return undefined
    for (let each = 0; each < words.length; each += 4) {
      const isSame =
        words[each] === names[at] &&
        words[each + 1] === names[at + 1] &&
        words[each + 2] === names[at + 2] &&
        words[each + 3] === names[at + 3]
      if (isSame) return places[each >> 2]
    }
    return undefined
  }
}
