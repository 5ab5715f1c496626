import { KeystampError } from '../errors/keystamp-error.ts'

/** Throws OPTION_INVALID for an unknown option, because a misspelled option would silently have no effect. */
export function checkOptionNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = nearestName(name, known)
    const meant = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
    throw new KeystampError(
      'OPTION_INVALID',
      `The option \`${name}\` is not known here; ${meant}${near === undefined ? '.' : ''}`
    )
  }
}

/** Returns the known name that is most similar to a misspelled one; undefined if none is similar enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase().slice(0, 40), candidate.toLowerCase())
    if (distance < bestDistance) {
      bestDistance = distance
      best = candidate
    }
  }
  return best
}

/** Levenshtein distance: the number of characters that have to be inserted, removed or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[b.length]
}
