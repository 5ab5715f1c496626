import type { Agent } from 'node:https'
import type { CosmosClientOptions } from '@azure/cosmos'
import { KeystampError } from '@keystamp/core'
import { isAccountKey, looksLikeConnectionString, parseConnectionString } from './connection-string.ts'

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** The container, and the identity that is used: `connectionString`, or `endpoint` with either `key` or `credential`. */
export interface AccountOptions {
  /** Endpoint and key in one string, as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. */
  readonly connectionString?: string
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint?: string
  /** An account key, base64; or a function that returns it, called again when Cosmos DB has refused a signature. */
  readonly key?: string | (() => string)
  /** Entra: any credential, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /** For https through a proxy or with certificates of your own. Default: connections that are kept alive. */
  readonly agent?: Agent
  /** Timeout of one read of metadata, its retries included. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
  /**
   * How account, container, ranges and offers are read: `sdk` by @azure/cosmos, whose loading takes a quarter of a second of processor time;
   * `direct` with one request each, and by the SDK only where that fails in a way that may pass. Default: `sdk`.
   */
  readonly metadataBy?: 'sdk' | 'direct'
}

/** Names of the account options; a writer or a reader adds its own. */
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

/** Options with a known endpoint. */
export type CompleteAccountOptions = Omit<AccountOptions, 'connectionString'> & { readonly endpoint: string }

/** Reads a connection string and checks the options. Throws OPTION_INVALID before anything is sent. */
export function checkAccountOptions(options: AccountOptions): CompleteAccountOptions {
  const complete = withoutConnectionString(options)
  const { endpoint, key, credential, database, container } = complete
  if (typeof endpoint === 'string' && looksLikeConnectionString(endpoint)) throw invalid(isConnectionString('endpoint'))
  if (typeof endpoint !== 'string' || !/^https?:\/\/[^/]+/.test(endpoint) || !URL.canParse(endpoint)) {
    throw invalid('`endpoint` must be the https address of an account, such as https://my-account.documents.azure.com/.')
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
    throw invalid('`key` is not an account key: those are base64. Copy it whole from the portal.')
  if (complete.metadataBy !== undefined && !METADATA_BY.includes(complete.metadataBy))
    throw invalid('`metadataBy` must be "sdk" or "direct".')
  return { ...complete, endpoint }
}

const METADATA_BY: readonly unknown[] = ['sdk', 'direct']

function withoutConnectionString(options: AccountOptions): Omit<AccountOptions, 'connectionString'> {
  const { connectionString, ...others } = options
  if (connectionString === undefined) return others
  const { endpoint, key } = parseConnectionString(connectionString)
  if (others.endpoint !== undefined || others.key !== undefined || (key !== undefined && others.credential !== undefined)) {
    throw invalid('Give either `connectionString`, or `endpoint` with `key` or `credential`.')
  }
  if (key === undefined && others.credential === undefined) {
    throw invalid(
      'The connection string has no AccountKey. Copy it whole from the portal, or give an Entra credential as `credential`, too.'
    )
  }
  return { ...others, endpoint, ...(key === undefined ? {} : { key }) }
}

function isConnectionString(name: string): string {
  return `\`${name}\` holds a connection string: pass it as \`connectionString\`.`
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
