import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { httpGet } from '../../../src/decode/registry/http-get.ts'

describe('asking for a page', () => {
  it('gives its status and its text, and sends the headers', async () => {
    const answer = await askOf(
      ({ headers }, response) => response.writeHead(404).end(`ž${String(headers.accept)}`),
      new AbortController().signal
    )

    expect(answer).toEqual({ status: 404, body: 'žtext/plain' })
  })

  it('ends when its time is up, before an answer and within one', async () => {
    const silent = askOf(() => undefined, AbortSignal.timeout(20))
    await expect(silent).rejects.toHaveProperty('name', 'TimeoutError')

    const halting = askOf((_request, response) => response.write('the first half'), AbortSignal.timeout(100))
    await expect(halting).rejects.toHaveProperty('name', 'TimeoutError')
  })

  it('fails where an answer breaks off', async () => {
    const broken = askOf((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('the first half', () => response.destroy())
    }, new AbortController().signal)

    await expect(broken).rejects.toHaveProperty('code', 'ECONNRESET')
  })
})

async function askOf(listener: RequestListener, signal: AbortSignal): Promise<unknown> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await httpGet(`http://127.0.0.1:${port}/schemas`, { headers: { accept: 'text/plain' }, signal })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
