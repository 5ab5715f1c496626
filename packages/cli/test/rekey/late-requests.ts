import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP proxy in front of an emulator that can keep one request, and deliver it later. */
export interface LateRequests {
  readonly endpoint: string
  /** Keeps the next request whose address and body a function accepts: its sender gets no answer. */
  readonly keep: (isKept: (path: string, body: string) => boolean) => void
  /** Whether a request was kept. */
  readonly isKept: () => boolean
  /** Delivers the kept request, and returns the body of its answer. */
  readonly deliver: () => Promise<string>
  readonly stop: () => Promise<void>
}

interface Kept {
  readonly request: IncomingMessage
  readonly body: Buffer
}

export async function startLateRequests(target: string): Promise<LateRequests> {
  const { port: targetPort } = new URL(target)
  let accepts: ((path: string, body: string) => boolean) | undefined
  let kept: Kept | undefined

  const pass = ({ request: { method, url, headers }, body }: Kept): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const passed = send({ host: '127.0.0.1', port: targetPort, method, path: url, headers, agent: false }, resolve)
      passed.on('error', reject)
      passed.end(body)
    })

  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request)
    if (accepts?.(request.url ?? '', body.toString()) === true) {
      accepts = undefined
      kept = { request, body }
      return
    }
    const answer = await pass({ request, body }).catch(() => undefined)
    if (answer === undefined) return void response.destroy()
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  }
  const server = createServer((request, response) => void answerTo(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keep: (isKept) => (accepts = isKept),
    isKept: () => kept !== undefined,
    deliver: async () => (await bytesOf(await pass(kept!))).toString(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
