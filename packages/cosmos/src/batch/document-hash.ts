/** A hash of the document's name: where its key lies, and its id. */
export function documentHashOf(epk: string, id: string): number {
  let hash = epk.length
  // the first digits tell the keys apart well enough
  for (let index = Math.min(epk.length, EPK_DIGITS) - 1; index >= 0; index--) hash = Math.imul(hash ^ epk.charCodeAt(index), PRIME)
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), PRIME)
  hash ^= hash >>> 15
  // small enough to stand in the object itself
  return hash & 0x3fffffff
}

const EPK_DIGITS = 8
const PRIME = 0x01000193
