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
      'Without `cosmos.key`, the sink gets tokens of Entra, which needs a package that is not installed: run npm install @azure/identity, or set `cosmos.key` or `cosmos.connectionString`.',
      { cause }
    )
  }
}

// an optional peer dependency, which is needed only without an account key
const IDENTITY = '@azure/identity'

/** That identity, which is looked for when the first token is needed. */
export const ENTRA: TokenCredential = {
  getToken: async (scopes, options) => (await findEntraCredential()).getToken(scopes, options)
}

/** Gets a token of that identity, such as for `oauthbearer`. */
export async function getEntraToken(scope: string): Promise<string> {
  const token = await (await findEntraCredential()).getToken(scope)
  return token?.token ?? ''
}
