import { KeystampError, nearestName } from '@keystamp/core'

/** Endpoint and key of an account. */
export interface ConnectionString {
  readonly endpoint: string
  /** Undefined where the string has none, as for Entra. */
  readonly key: string | undefined
}

/**
 * Reads a connection string as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. The order, spaces, quotes around the
 * whole string and a semicolon at the end do not matter. Throws OPTION_INVALID, with messages that never hold the key.
 */
export function parseConnectionString(text: string): ConnectionString {
  if (typeof text !== 'string' || text.trim() === '') throw invalid(`The connection string is empty. ${COPY_IT}`)
  const whole = text.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const values = new Map<string, string>()
  for (const part of whole.split(';').map((each) => each.trim())) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = nameOf(at < 0 ? '' : part.slice(0, at).trim(), whole)
    if (values.has(name)) throw invalid(`The connection string has ${name} twice.`)
    values.set(name, part.slice(at + 1).trim())
  }
  const endpoint = values.get('AccountEndpoint')
  const key = values.get('AccountKey')
  if (endpoint === undefined) throw invalid(`The connection string has no AccountEndpoint. ${COPY_IT}`)
  if (!/^https?:\/\/[^/@\s]+\/?$/.test(endpoint) || !URL.canParse(endpoint))
    throw invalid(
      'AccountEndpoint in the connection string must be the address of an account, such as https://my-account.documents.azure.com/.'
    )
  if (key !== undefined && !isAccountKey(key))
    throw invalid('AccountKey in the connection string is not an account key: those are base64. Copy it whole from the portal.')
  return { endpoint, key }
}

/** Whether a string is meant to be a connection string. */
export function looksLikeConnectionString(text: string): boolean {
  return /\b(?:AccountEndpoint|AccountKey)\s*=/i.test(text)
}

/** Whether a string can be an account key. */
export function isAccountKey(key: unknown): boolean {
  return typeof key === 'string' && key.length >= 4 && key.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(key)
}

const COPY_IT = 'Copy the primary connection string from the page *Keys* of the account: AccountEndpoint=https://...;AccountKey=...;'

/** Names that connection strings may hold; the last two are ignored. */
const NAMES = ['AccountEndpoint', 'AccountKey', 'DisableServerCertificateValidation', 'Database']

function nameOf(name: string, whole: string): string {
  const known = NAMES.find((each) => each.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known
  const other = OTHER_SERVICES.find(({ pattern }) => pattern.test(whole))
  if (other !== undefined) throw invalid(`This is a connection string of ${other.name}, and not of the NoSQL API of Cosmos DB. ${COPY_IT}`)
  // the value after `=` may be a part of a secret, and so may be a part without `=`
  const near = /^[A-Za-z]{4,40}$/.test(name) ? nearestName(name, NAMES) : undefined
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  throw invalid(`The connection string has a part that is not known.${meant} ${COPY_IT}`)
}

const OTHER_SERVICES = [
  { name: 'MongoDB', pattern: /^mongodb(?:\+srv)?:/i },
  { name: 'Azure Storage', pattern: /\bAccountName\s*=/i },
  { name: 'the Table API', pattern: /\bTableEndpoint\s*=/i },
  { name: 'Event Hubs or Service Bus', pattern: /\bSharedAccessKey(?:Name)?\s*=/i }
]

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
