import type { TokenCredential } from '@keystamp/cosmos'
import { KeystampError } from '@keystamp/core'

/**
 * Finds the Entra identity of this process: environment, workload identity, managed identity, or the login of a
 * developer.
 */
export async function findEntraCredential(): Promise<TokenCredential> {
  try {
    const { DefaultAzureCredential } = (await import(IDENTITY)) as {
      readonly DefaultAzureCredential: new () => TokenCredential
    }
    return new DefaultAzureCredential()
  } catch (cause) {
    throw new KeystampError(
      'COSMOS_UNAUTHORIZED',
      'Without `cosmos.key` Entra is asked, which needs a package that is not installed: npm install @azure/identity. Or give `cosmos.key` or `cosmos.connectionString`.',
      { cause }
    )
  }
}

// an optional peer dependency, which an account key makes unnecessary
const IDENTITY = '@azure/identity'

/** Gets a token of that identity, such as for `oauthbearer`. */
export async function getEntraToken(scope: string): Promise<string> {
  const token = await (await findEntraCredential()).getToken(scope)
  return token?.token ?? ''
}
