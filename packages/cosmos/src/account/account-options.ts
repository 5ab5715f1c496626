import type { Agent } from 'node:https'
import type { CosmosClientOptions } from '@azure/cosmos'
import { KeystampError } from '@keystamp/core'

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** Which container, and who asks for it. Either `key` or `credential`. */
export interface AccountOptions {
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint: string
  /** An account key, base64; or a function that gives it, which is called again when Cosmos DB has refused a signature. */
  readonly key?: string | (() => string)
  /** Entra: any credential, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /** For https through a proxy or with certificates of your own. Default: connections that are kept alive. */
  readonly agent?: Agent
  /** How long one read of metadata may take, its retries included. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
}

/** The names that belong to an account; what a writer or a reader adds is its own. */
export const ACCOUNT_OPTION_NAMES: readonly (keyof AccountOptions)[] = [
  'endpoint',
  'key',
  'credential',
  'database',
  'container',
  'preferredRegions',
  'agent',
  'metadataTimeoutMs'
]

/** Throws OPTION_INVALID for what cannot work, before anything is sent. */
export function checkAccountOptions({ endpoint, key, credential, database, container }: AccountOptions): void {
  if (typeof endpoint !== 'string' || !/^https?:\/\/[^/]+/.test(endpoint) || !URL.canParse(endpoint)) {
    throw invalid('`endpoint` must be the https address of an account, such as https://my-account.documents.azure.com/.')
  }
  for (const [name, value] of Object.entries({ database, container })) {
    if (typeof value !== 'string' || value === '' || /[/\\?#]/.test(value)) {
      throw invalid(`\`${name}\` must be a name: a text without the characters / \\ ? #.`)
    }
  }
  if ((key === undefined) === (credential === undefined))
    throw invalid('Give either `key`, an account key, or `credential`, an Entra credential.')
  if (key !== undefined && !isKey(typeof key === 'function' ? key() : key))
    throw invalid('`key` is not an account key: those are base64 text. Copy it whole from the portal.')
}

function isKey(key: unknown): boolean {
  return typeof key === 'string' && key.length >= 4 && key.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(key)
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
