import { nearestName } from '../parse/nearest-name.ts'
import { KeystampError } from './keystamp-error.ts'

/** Refuses options that nobody knows: a misspelled one would otherwise do nothing, silently. */
export function checkOptionNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = nearestName(name, known)
    const meant = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
    throw new KeystampError('OPTION_INVALID', `The option \`${name}\` is not known here; ${meant}${near === undefined ? '.' : ''}`)
  }
}
