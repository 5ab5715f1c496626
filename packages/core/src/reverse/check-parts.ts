import { KeystampError } from '../errors/keystamp-error.ts'
import { nearestName } from '../parse/nearest-name.ts'
import { pointerText } from '../parse/pointer.ts'
import type { Pointer } from '../plan/compiled.ts'

/** Throws OPTION_INVALID for a part that stands in none of the fields: it would not narrow anything. */
export function checkParts(parts: object, fields: readonly Pointer[]): void {
  const known = [...new Set([...fields, ['id']].map(pointerText))]
  visit(parts, '', (path) => {
    if (known.includes(path)) return 'known'
    return known.some((field) => field.startsWith(`${path}/`)) ? 'above' : 'unknown'
  })

  function visit(value: object, path: string, placeOf: (path: string) => 'known' | 'above' | 'unknown'): void {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      const below = path + pointerText([name])
      const place = placeOf(below)
      if (place === 'known') continue
      if (place === 'unknown' || typeof member !== 'object' || member === null) throw unknownPart(below, known)
      visit(member as object, below, placeOf)
    }
  }
}

function unknownPart(path: string, known: readonly string[]): KeystampError {
  const near = nearestName(path, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return new KeystampError(
    'OPTION_INVALID',
    `The part ${path} is not a field that key or id are made of, so it cannot be looked up.${meant} The parts can hold ${known.join(', ')}.`
  )
}
