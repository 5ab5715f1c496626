import { request as sendRequest } from 'node:http'
import type { Emulator } from '@keystamp/emulator'

/** An answer with its body as text. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends a request with any headers, also those that `fetch` does not allow, such as `host`. */
export function send(
  emulator: Emulator,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = ''
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(emulator.endpoint)
    const request = sendRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** The token in the page, and a function that sends requests as the page does. */
export async function openExplorer(emulator: Emulator) {
  const { text } = await send(emulator, 'GET', '/_explorer')
  const token = /"token":"([^"]+)"/.exec(text)?.[1] ?? ''
  const origin = emulator.endpoint.slice(0, -1)
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
    send(
      emulator,
      method,
      `/_explorer/${path}`,
      {
        ...(method === 'GET' ? {} : { origin }),
        'sec-fetch-site': 'same-origin',
        'x-explorer-token': token,
        ...headers
      },
      body
    )
  return { token, page: text, ask }
}
