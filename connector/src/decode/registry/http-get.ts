import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'

/** Asks for a page, once. Rejects when no whole answer came; with the signal's reason where that has ended it. */
export type HttpGet = (url: string, options: GetOptions) => Promise<{ readonly status: number; readonly body: string }>

interface GetOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Not `fetch`, which takes the memory of an answer away from whoever read it. Once a process has done that, V8 looks at every access to bytes
 * whether they are still there, and a scanner of bytes is slower by a tenth for good.
 */
export const httpGet: HttpGet = async (url, { headers, signal }) => {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  try {
    // a connection of its own: schemas are asked for once
    const call = request(url, { headers, signal, agent: false }).end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return { status: response.statusCode!, body: await text(response) }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
