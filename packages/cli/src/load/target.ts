import { type ConnectionString, parseConnectionString, type TokenCredential } from '@keystamp/cosmos'
import { UsageError } from '../exit-codes.ts'

/** The container of a load. */
export interface Target {
  readonly endpoint: string
  readonly database: string
  readonly container: string
  /** The account key, if a connection string has it. */
  readonly key?: string
}

/**
 * Parses `--to`: `<endpoint>/<database>/<container>`, `<connection string>/<database>/<container>`, or
 * `<database>/<container>` in the account of COSMOS_CONNECTION_STRING.
 */
export function parseTarget(text: string | undefined, env: Readonly<Record<string, string | undefined>> = {}): Target {
  if (text === undefined) throw new UsageError(`Name the container: --to ${EXAMPLE}.`)
  if (hasConnectionString(text)) {
    const [, connection = '', ...names] = /^(.*?)\/([^/;=]+)\/([^/;=]+)$/s.exec(text.trim()) ?? []
    // no message repeats the account key
    if (names.length === 0)
      throw new UsageError(`--to has a connection string, but no database and container. ${USE_CONNECTION_STRING}`)
    return inAccount(connection, names, '--to')
  }
  if (/^[^/:]+\/[^/:]+$/.test(text)) {
    const { COSMOS_CONNECTION_STRING: connection = '' } = env
    if (connection === '')
      throw new UsageError(
        `--to ${text} does not name the account. ${USE_CONNECTION_STRING} Or write the endpoint, too: --to ${EXAMPLE}.`
      )
    return inAccount(connection, text.split('/'), 'COSMOS_CONNECTION_STRING')
  }
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw (env['COSMOS_CONNECTION_STRING'] ?? '') === '' ? wrong(text) : wrongNames(text)
  const url = new URL(text)
  const names = url.pathname.split('/').filter((name) => name !== '')
  if (names.length !== 2 || url.search !== '' || url.hash !== '') throw wrong(text)
  const [database, container] = names.map((name) => nameOf(name, text))
  return { endpoint: `${url.origin}/`, database, container }
}

/** True for a connection string, which holds the account key. */
export function hasConnectionString(text: string): boolean {
  return /\bAccount(?:Endpoint|Key)\s*=/i.test(text)
}

function inAccount(connection: string, [database, container]: readonly string[], where: string): Target {
  const { endpoint, key } = readConnectionString(connection, where)
  return { endpoint: `${new URL(endpoint).origin}/`, database, container, ...(key === undefined ? {} : { key }) }
}

/** Parses a connection string. An error names the option or variable that contains it. */
function readConnectionString(text: string, where: string): ConnectionString {
  try {
    return parseConnectionString(text)
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`)
  }
}

const USE_CONNECTION_STRING = 'Set the variable COSMOS_CONNECTION_STRING, and write --to my-database/my-container.'

function nameOf(part: string, text: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // a percent sign that escapes nothing
    throw wrong(text)
  }
}

/** Whether an endpoint is on this machine. */
function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

const EXAMPLE = 'https://my-account.documents.azure.com/my-database/my-container'

function wrong(text: string): UsageError {
  return new UsageError(`--to takes an endpoint, a database and a container, such as ${EXAMPLE}, not "${text}".`)
}

function wrongNames(text: string): UsageError {
  return new UsageError(
    `--to takes a database and a container of the account in COSMOS_CONNECTION_STRING, such as my-database/my-container, not "${text}".`
  )
}

/** An account key, or Entra. */
export type Credentials = { readonly key: string } | { readonly credential: TokenCredential }

/**
 * Finds the credentials, in this order: the key in the connection string of `--to`, COSMOS_KEY, the key in
 * COSMOS_CONNECTION_STRING if that is for this account, the emulators' public key for an endpoint on this machine,
 * Entra.
 */
export async function findCredentials(
  { endpoint, key: known }: Pick<Target, 'endpoint' | 'key'>,
  env: Readonly<Record<string, string | undefined>>
): Promise<Credentials> {
  if (known !== undefined) return { key: known }
  const { COSMOS_KEY: key, COSMOS_CONNECTION_STRING: connection } = env
  if (key !== undefined && key !== '') {
    if (hasConnectionString(key))
      throw new UsageError('COSMOS_KEY holds a connection string: set it as COSMOS_CONNECTION_STRING.')
    if (key.length % 4 !== 0 || !BASE64.test(key))
      throw new UsageError('COSMOS_KEY is not an account key, which is base64. Copy the whole key from the portal.')
    return { key }
  }
  let other = ''
  if (connection !== undefined && connection !== '') {
    const account = readConnectionString(connection, 'COSMOS_CONNECTION_STRING')
    if (account.key !== undefined && new URL(account.endpoint).origin === new URL(endpoint).origin)
      return { key: account.key }
    if (new URL(account.endpoint).origin !== new URL(endpoint).origin)
      other = `COSMOS_CONNECTION_STRING is for ${new URL(account.endpoint).host}, and --to names ${new URL(endpoint).host}. `
  }
  if (isLoopback(endpoint)) return { key: WELL_KNOWN_KEY }
  return { credential: await createEntraCredential(other) }
}

/**
 * The public key of Microsoft's emulators. `@keystamp/emulator` exports it, too, but importing that package takes
 * longer than many loads.
 */
const WELL_KNOWN_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

// not a dependency: it is large, and most users have a key
const IDENTITY = '@azure/identity'

async function createEntraCredential(reason: string): Promise<TokenCredential> {
  try {
    const { DefaultAzureCredential } = (await import(IDENTITY)) as { DefaultAzureCredential: new () => TokenCredential }
    return new DefaultAzureCredential()
  } catch {
    throw new UsageError(
      `${reason}Set COSMOS_KEY to an account key, or COSMOS_CONNECTION_STRING; or, to use Entra, install the package ${IDENTITY} next to keystamp.`
    )
  }
}
