/** An answer of the emulator. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly chargeRu: number
  /** Time with all waits between retries. */
  readonly ms: number
  readonly retries: number
}

/** A request that the emulator refused, or that did not reach it (status 0). */
export class Refusal extends Error {
  readonly status: number
  readonly subStatus: number

  constructor(status: number, subStatus: number, message: string) {
    super(message)
    this.status = status
    this.subStatus = subStatus
  }
}

let token = ''

/** Sets the token that all requests send. */
export function useToken(given: string): void {
  token = given
}

// the default of SDKs
const MAX_RETRIES = 9

/**
 * Sends a request to the emulator; throws a refusal for a status of 400 or more. As SDKs do, it sends a request again
 * that was refused with 429, after the time that the answer names.
 */
export async function send(
  method: string,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}
): Promise<Reply> {
  const startedMs = performance.now()
  for (let retries = 0; ; retries++) {
    const { response, text } = await sendOnce(method, path, options)
    const { status, headers } = response
    const retryAfterMs = headers.get('x-ms-retry-after-ms')
    if (status === 429 && retryAfterMs !== null && retries < MAX_RETRIES) {
      await new Promise((resolve) => setTimeout(resolve, Number(retryAfterMs)))
      continue
    }
    if (status >= 400) throw new Refusal(status, Number(headers.get('x-ms-substatus') ?? 0), sentenceOf(text, status))
    const chargeRu = Number(headers.get('x-ms-request-charge') ?? 0)
    return { status, headers, text, chargeRu, ms: performance.now() - startedMs, retries }
  }
}

async function sendOnce(
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(`/_explorer/${path}`, {
      method,
      headers: { ...headers, 'x-explorer-token': token },
      ...(body === undefined ? {} : { body })
    })
    return { response, text: await response.text() }
  } catch {
    throw new Refusal(0, 0, 'The emulator did not answer: it was stopped, or a fault closed the connection.')
  }
}

/** Sends a request to a container of the data plane. */
export function sendToContainer(
  method: string,
  { database, container }: ContainerName,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}
): Promise<Reply> {
  return send(
    method,
    `data/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}/${path}`,
    options
  )
}

/** Names of a container and of its database. */
export interface ContainerName {
  readonly database: string
  readonly container: string
}

/** Ids of the ranges that served an answer: the session token has one part for each. */
export function rangesOf({ headers }: Reply): string[] {
  const session = headers.get('x-ms-session-token') ?? ''
  return session === '' ? [] : session.split(',').map((part) => part.slice(0, part.indexOf(':')))
}

/** The sentence about a failed request, for the user. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return error.message
  return `${error.status}${error.subStatus === 0 ? '' : `/${error.subStatus}`}: ${error.message}`
}

function sentenceOf(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    if (typeof message === 'string') return message.replace(/\r\nActivityId: .*$/, '')
  } catch {
    // a fault may answer with no body, or with HTML
  }
  return status === 429 ? 'The request was throttled.' : 'The answer has no message.'
}
