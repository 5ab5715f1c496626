import type { Agent } from 'node:https'
import type { CosmosClientOptions } from '@azure/cosmos'
import { KeystampError, nearestName } from '@keystamp/core'

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** The container, and the credentials: `connectionString`, or `endpoint` with either `key` or `credential`. */
export interface AccountOptions {
  /** Endpoint and key in one string, as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. */
  readonly connectionString?: string
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint?: string
  /**
   * Account key in base64; or a function that returns it, which is called again after Cosmos DB has refused a
   * signature.
   */
  readonly key?: string | (() => string)
  /** Credential of Entra, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /**
   * Agent for https, for example for a proxy or your own certificates. Default: an agent that keeps connections alive.
   */
  readonly agent?: Agent
  /** Timeout of one read of metadata including its retries. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
  /**
   * Way to read account, container, ranges and offers. `sdk`: by @azure/cosmos, whose import takes a quarter of a
   * second of processor time. `direct`: one request for each read; the SDK is used only if that request fails with an
   * error that may be temporary. Default: `sdk`.
   */
  readonly metadataBy?: 'sdk' | 'direct'
}

/** Names of the account options. A writer and a reader have more options. */
export const ACCOUNT_OPTION_NAMES: readonly (keyof AccountOptions)[] = [
  'connectionString',
  'endpoint',
  'key',
  'credential',
  'database',
  'container',
  'preferredRegions',
  'agent',
  'metadataTimeoutMs',
  'metadataBy'
]

/** Account options with a known endpoint. */
export type CompleteAccountOptions = Omit<AccountOptions, 'connectionString'> & { readonly endpoint: string }

/** Reads a connection string and checks the options. Throws OPTION_INVALID before anything is sent. */
export function checkAccountOptions(options: AccountOptions): CompleteAccountOptions {
  const complete = withoutConnectionString(options)
  const { endpoint, key, credential, database, container } = complete
  if (typeof endpoint === 'string' && looksLikeConnectionString(endpoint)) throw invalid(isConnectionString('endpoint'))
  if (typeof endpoint !== 'string' || !/^https?:\/\/[^/]+/.test(endpoint) || !URL.canParse(endpoint)) {
    throw invalid(
      '`endpoint` must be the https address of an account, such as https://my-account.documents.azure.com/.'
    )
  }
  for (const [name, value] of Object.entries({ database, container })) {
    if (typeof value !== 'string' || value === '' || /[/\\?#]/.test(value)) {
      throw invalid(`\`${name}\` must be a name: a string without the characters / \\ ? #.`)
    }
  }
  if ((key === undefined) === (credential === undefined))
    throw invalid('Give either `key`, an account key, or `credential`, an Entra credential.')
  const secret = typeof key === 'function' ? key() : key
  if (typeof secret === 'string' && looksLikeConnectionString(secret)) throw invalid(isConnectionString('key'))
  if (secret !== undefined && !isAccountKey(secret))
    throw invalid('`key` is not an account key: it is not valid base64. Copy the whole key from the portal.')
  if (complete.metadataBy !== undefined && !METADATA_BY.includes(complete.metadataBy))
    throw invalid('`metadataBy` must be "sdk" or "direct".')
  return { ...complete, endpoint }
}

const METADATA_BY: readonly unknown[] = ['sdk', 'direct']

function withoutConnectionString(options: AccountOptions): Omit<AccountOptions, 'connectionString'> {
  const { connectionString, ...others } = options
  if (connectionString === undefined) return others
  const { endpoint, key } = parseConnectionString(connectionString)
  if (
    others.endpoint !== undefined ||
    others.key !== undefined ||
    (key !== undefined && others.credential !== undefined)
  ) {
    throw invalid('Give either `connectionString`, or `endpoint` with `key` or `credential`.')
  }
  if (key === undefined && others.credential === undefined) {
    throw invalid(
      'The connection string has no AccountKey. Copy the whole string from the portal, or pass an Entra credential as `credential`, too.'
    )
  }
  return { ...others, endpoint, ...(key === undefined ? {} : { key }) }
}

function isConnectionString(name: string): string {
  return `\`${name}\` contains a connection string: pass it as \`connectionString\`.`
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** Endpoint and key of an account. */
export interface ConnectionString {
  readonly endpoint: string
  /** Undefined if the string has none, as for Entra. */
  readonly key: string | undefined
}

/**
 * Reads a connection string as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. The order, spaces,
 * quotes around the whole string and a semicolon at the end do not matter. Throws OPTION_INVALID, with messages that
 * never contain the key.
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
    throw invalid(
      'AccountKey in the connection string is not an account key: it is not valid base64. Copy the whole string from the portal.'
    )
  return { endpoint, key }
}

/** Whether a string is probably a connection string. */
export function looksLikeConnectionString(text: string): boolean {
  return /\b(?:AccountEndpoint|AccountKey)\s*=/i.test(text)
}

/** Whether a string can be an account key. */
function isAccountKey(key: unknown): boolean {
  return typeof key === 'string' && key.length >= 4 && key.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(key)
}

const COPY_IT =
  'Copy the primary connection string from the page *Keys* of the account: AccountEndpoint=https://...;AccountKey=...;'

/** Names that connection strings may contain; the last two are ignored. */
const NAMES = ['AccountEndpoint', 'AccountKey', 'DisableServerCertificateValidation', 'Database']

function nameOf(name: string, whole: string): string {
  const known = NAMES.find((each) => each.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known
  const other = OTHER_SERVICES.find(({ pattern }) => pattern.test(whole))
  if (other !== undefined)
    throw invalid(`This is a connection string of ${other.name}, not of the NoSQL API of Cosmos DB. ${COPY_IT}`)
  // the message does not contain the part, because a value after `=` and a part without `=` may be pieces of a secret
  const near = /^[A-Za-z]{4,40}$/.test(name) ? nearestName(name, NAMES) : undefined
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  throw invalid(`The connection string has an unknown part.${meant} ${COPY_IT}`)
}

const OTHER_SERVICES = [
  { name: 'MongoDB', pattern: /^mongodb(?:\+srv)?:/i },
  { name: 'Azure Storage', pattern: /\bAccountName\s*=/i },
  { name: 'the Table API', pattern: /\bTableEndpoint\s*=/i },
  { name: 'Event Hubs or Service Bus', pattern: /\bSharedAccessKey(?:Name)?\s*=/i }
]
