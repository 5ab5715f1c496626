/** A hash of the document's name: how the hash of its key begins, and its id. */
export function documentHashOf(head: number, id: string): number {
  let hash = head | 0
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), PRIME)
  hash ^= hash >>> 15
  // small enough to stand in the object itself
  return hash & 0x3fffffff
}

const PRIME = 0x01000193
