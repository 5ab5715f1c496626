import { UsageError } from '../exit-codes.ts'
import { type Credentials, findCredentials, parseTarget, type Target } from '../load/target.ts'

/** A container that a command names, with the credentials for its account. */
export type ContainerAccess = Omit<Target, 'key'> & Credentials

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the container that an argument of a command names. */
export async function readContainer(
  text: string | undefined,
  command: string,
  env: Environment
): Promise<ContainerAccess> {
  return inOwnWords(command, async () => {
    const target = parseTarget(text, env)
    return { ...target, ...(await findCredentials(target, env)) }
  })
}

/**
 * Reads the two containers that the arguments of a command name. The account of the second one may be another one:
 * COSMOS_TO_CONNECTION_STRING and COSMOS_TO_KEY are for it. COSMOS_KEY is never sent to another account than the first.
 */
export async function readContainerPair(
  [first, second]: readonly [string | undefined, string | undefined],
  command: string,
  env: Environment
): Promise<readonly [ContainerAccess, ContainerAccess]> {
  const from = await readContainer(first, command, env)
  const own = env[TO_CONNECTION_STRING] ?? ''
  const connection = own === '' ? env['COSMOS_CONNECTION_STRING'] : own
  const to = await inOwnWords(command, async () => {
    const target = await renamed(own !== '', () => parseTarget(second, { COSMOS_CONNECTION_STRING: connection }))
    const isSame = target.endpoint === from.endpoint
    const credentials = await renamed(!isSame || own !== '', () =>
      findCredentials(target, {
        COSMOS_CONNECTION_STRING: isSame ? connection : own,
        COSMOS_KEY: isSame ? (env[TO_KEY] ?? env['COSMOS_KEY']) : env[TO_KEY]
      })
    )
    return { ...target, ...credentials }
  })
  return [from, to]
}

/** Part of a help text about both accounts. */
export const PAIR_ENVIRONMENT = `
Environment:
  COSMOS_CONNECTION_STRING     endpoint and key of the account: a container is
                               then named database/container
  COSMOS_KEY                   the account key
  COSMOS_TO_CONNECTION_STRING  the same for the second container, if it is in
  COSMOS_TO_KEY                another account
`

const TO_CONNECTION_STRING = 'COSMOS_TO_CONNECTION_STRING'
const TO_KEY = 'COSMOS_TO_KEY'

/** Messages about a container name the option of `keystamp load`. */
async function inOwnWords<T>(command: string, work: () => Promise<T>): Promise<T> {
  return rewritten(work, (message) =>
    message
      .replaceAll(/: --to (?=https)/g, `: keystamp ${command} `)
      .replaceAll(/--to takes/g, `keystamp ${command} takes`)
      .replaceAll(/--to\b ?/g, '')
  )
}

/** Messages about the second account name its variables. */
function renamed<T>(isOther: boolean, work: () => T | Promise<T>): Promise<T> {
  return rewritten(work, (message) =>
    isOther ? message.replaceAll(/\bCOSMOS_(?=KEY|CONNECTION)/g, 'COSMOS_TO_') : message
  )
}

async function rewritten<T>(work: () => T | Promise<T>, rewrite: (message: string) => string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(rewrite(error.message))
  }
}
