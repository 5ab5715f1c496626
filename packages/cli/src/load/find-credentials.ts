import type { TokenCredential } from '@keystamp/cosmos'
import { UsageError } from '../usage-error.ts'
import { hasConnectionString, isLoopback, readConnectionString, type Target } from './target.ts'

/** Who asks: an account key, or Entra. */
export type Credentials = { readonly key: string } | { readonly credential: TokenCredential }

/** The key of the target's connection string; that of COSMOS_KEY; that of COSMOS_CONNECTION_STRING where it is of this account; the emulators' public one on this machine; else Entra. */
export async function findCredentials(
  { endpoint, key: known }: Pick<Target, 'endpoint' | 'key'>,
  env: Readonly<Record<string, string | undefined>>
): Promise<Credentials> {
  if (known !== undefined) return { key: known }
  const { COSMOS_KEY: key, COSMOS_CONNECTION_STRING: connection } = env
  if (key !== undefined && key !== '') {
    if (hasConnectionString(key)) throw new UsageError('COSMOS_KEY holds a connection string: set it as COSMOS_CONNECTION_STRING.')
    if (key.length % 4 !== 0 || !BASE64.test(key))
      throw new UsageError('COSMOS_KEY holds no account key: those are base64 text. Copy it whole from the portal.')
    return { key }
  }
  let other = ''
  if (connection !== undefined && connection !== '') {
    const account = readConnectionString(connection, 'COSMOS_CONNECTION_STRING')
    if (account.key !== undefined && new URL(account.endpoint).origin === new URL(endpoint).origin) return { key: account.key }
    if (new URL(account.endpoint).origin !== new URL(endpoint).origin)
      other = `COSMOS_CONNECTION_STRING is for ${new URL(account.endpoint).host}, and --to names ${new URL(endpoint).host}. `
  }
  if (isLoopback(endpoint)) return { key: WELL_KNOWN_KEY }
  return { credential: await createEntraCredential(other) }
}

/** The public key of Microsoft's emulators. The emulator knows it as well, but loading it takes longer than many a load. */
const WELL_KNOWN_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

// not a dependency: most who load have a key, and it is large
const IDENTITY = '@azure/identity'

async function createEntraCredential(reason: string): Promise<TokenCredential> {
  try {
    const { DefaultAzureCredential } = (await import(IDENTITY)) as { DefaultAzureCredential: new () => TokenCredential }
    return new DefaultAzureCredential()
  } catch {
    throw new UsageError(
      `${reason}Set COSMOS_KEY to an account key, or COSMOS_CONNECTION_STRING; or, to ask by Entra, install the package ${IDENTITY} beside keystamp.`
    )
  }
}
