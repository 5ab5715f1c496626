import type { TokenCredential } from '@keystamp/cosmos'
import { UsageError } from '../usage-error.ts'
import { isLoopback } from './target.ts'

/** Who asks: an account key, or Entra. */
export type Credentials = { readonly key: string } | { readonly credential: TokenCredential }

/** The key from COSMOS_KEY; the emulators' public one on this machine; else Entra. A key is never an argument, where others could see it. */
export async function findCredentials(endpoint: string, env: Readonly<Record<string, string | undefined>>): Promise<Credentials> {
  const { COSMOS_KEY: key } = env
  if (key !== undefined && key !== '') {
    if (key.length % 4 !== 0 || !BASE64.test(key))
      throw new UsageError('COSMOS_KEY holds no account key: those are base64 text. Copy it whole from the portal.')
    return { key }
  }
  if (isLoopback(endpoint)) return { key: WELL_KNOWN_KEY }
  return { credential: await createEntraCredential() }
}

/** The public key of Microsoft's emulators. The emulator knows it as well, but loading it takes longer than many a load. */
const WELL_KNOWN_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

// not a dependency: most who load have a key, and it is large
const IDENTITY = '@azure/identity'

async function createEntraCredential(): Promise<TokenCredential> {
  try {
    const { DefaultAzureCredential } = (await import(IDENTITY)) as { DefaultAzureCredential: new () => TokenCredential }
    return new DefaultAzureCredential()
  } catch {
    throw new UsageError(`Set COSMOS_KEY to an account key; or, to ask by Entra, install the package ${IDENTITY} beside keystamp.`)
  }
}
