import { KeystampError } from '@keystamp/core'

/** Refuses what nobody can have meant: an id or an option that is passed over would give other documents than those asked for. */
export function checkQuestion(parts: object, options: object, known: readonly string[]): void {
  if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) {
    throw invalid('What is known of a record is an object, such as { date: "2018-08-09" }.')
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw invalid(`\`${name}\` is no option here. Known are ${known.join(', ')}.`)
  }
  for (const id of [(options as { id?: unknown }).id, (parts as { id?: unknown }).id]) {
    if (id !== undefined && (typeof id !== 'string' || id === ''))
      throw invalid('`id` must be a text that is not empty: ids are nothing else.')
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
