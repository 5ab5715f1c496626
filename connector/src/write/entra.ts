import type { TokenCredential } from '@keystamp/cosmos'
import { KeystampError } from '@keystamp/core'

/** Who Entra takes this process for: environment, workload or managed identity, or the developer's own login. */
export async function findEntraCredential(): Promise<TokenCredential> {
  try {
    const { DefaultAzureCredential } = (await import(IDENTITY)) as { readonly DefaultAzureCredential: new () => TokenCredential }
    return new DefaultAzureCredential()
  } catch (cause) {
    throw new KeystampError(
      'COSMOS_UNAUTHORIZED',
      'Without `cosmos.key` Entra is asked, which needs a package that is not installed: npm install @azure/identity. Or give `cosmos.key` or `cosmos.connectionString`.',
      { cause }
    )
  }
}

// not a dependency: who has a key does not pay for it
const IDENTITY = '@azure/identity'
