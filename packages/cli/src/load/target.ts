import { UsageError } from '../usage-error.ts'

/** Where records go. */
export interface Target {
  readonly endpoint: string
  readonly database: string
  readonly container: string
}

/** Reads `<endpoint>/<database>/<container>`. */
export function parseTarget(text: string | undefined): Target {
  if (text === undefined) throw new UsageError(`Say where the records go: --to ${EXAMPLE}.`)
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw wrong(text)
  const url = new URL(text)
  const names = url.pathname.split('/').filter((name) => name !== '')
  if (names.length !== 2 || url.search !== '' || url.hash !== '') throw wrong(text)
  const [database, container] = names.map((name) => nameOf(name, text))
  return { endpoint: `${url.origin}/`, database, container }
}

function nameOf(part: string, text: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // a per cent sign that escapes nothing
    throw wrong(text)
  }
}

/** Whether an endpoint is on this machine. */
export function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

const EXAMPLE = 'https://my-account.documents.azure.com/my-database/my-container'

function wrong(text: string): UsageError {
  return new UsageError(`--to takes an endpoint, a database and a container, such as ${EXAMPLE}, not "${text}".`)
}
