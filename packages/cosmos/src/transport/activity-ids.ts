import { randomUUID } from 'node:crypto'

/**
 * Activity ids in the form of a GUID: the first part is random and names this transport, the last one counts its requests. Cosmos DB returns
 * the id and logs the request under it.
 */
export function createActivityIds(): () => string {
  const prefix = randomUUID().slice(0, -COUNT_DIGITS)
  let count = 0
  return () => prefix + (++count).toString(16).padStart(COUNT_DIGITS, '0')
}

const COUNT_DIGITS = 12
