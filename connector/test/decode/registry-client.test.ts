import { isKeystampError } from '@keystamp/core'
import { type RegistryHandle, startRegistry } from '@keystamp/testkit'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createDecoder } from '../../src/decode/decoder.ts'
import { checkRegistry, httpGet } from '../../src/decode/registry-client.ts'
import { framed, recordOf, settingsOf, shown } from './decoding.ts'
import { ANN, ANN_JSON, PERSON } from './person.ts'
import { SETTINGS } from './registry-of.ts'

describe('a GET request', () => {
  it('returns the status and the text, and sends the headers', async () => {
    const answer = await askOf(
      ({ headers }, response) => response.writeHead(404).end(`ž${String(headers.accept)}`),
      new AbortController().signal
    )

    expect(answer).toEqual({ status: 404, body: 'žtext/plain' })
  })

  it('fails at its timeout, whether the response has begun or not', async () => {
    const silent = askOf(() => undefined, AbortSignal.timeout(20))
    await expect(silent).rejects.toHaveProperty('name', 'TimeoutError')

    const halting = askOf((_request, response) => response.write('the first half'), AbortSignal.timeout(100))
    await expect(halting).rejects.toHaveProperty('name', 'TimeoutError')
  })

  it('fails if the response breaks off', async () => {
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

describe('a schema registry on the network', () => {
  it('is retried while it is down, and answers when it is back', async () => {
    await withRegistry(async (registry) => {
      const id = registry.register('people-value', JSON.stringify(PERSON))
      const settings = { ...settingsOf({ format: 'registry' }), registry: { ...SETTINGS, url: registry.url } }
      const decoder = createDecoder(settings)
      registry.down(true)

      const answer = decoder.decode(recordOf(framed(id, ANN)))
      await until(() => decoder.waitingFor?.endsWith('answers with status 503') === true)
      registry.down(false)

      expect(shown(await answer)).toEqual({ json: ANN_JSON, key: null })
      decoder.close()
    })
  })

  it('can be checked before the first record', async () => {
    const address = await withRegistry(async ({ url, down }) => {
      await checkRegistry({ ...SETTINGS, url })
      await expect(checkRegistry({ ...SETTINGS, url: `${url}/elsewhere` })).rejects.toThrow(
        'is probably not a schema registry'
      )
      down(true)
      await expect(checkRegistry({ ...SETTINGS, url })).rejects.toThrow('503')
      return url
    })

    const error = await checkRegistry({ ...SETTINGS, url: address }).catch((thrown: unknown) => thrown)
    expect(isKeystampError(error)).toBe(true)
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(`the schema registry at ${address} cannot be reached (`)
    )
  })
})

async function withRegistry<T>(use: (registry: RegistryHandle) => Promise<T>): Promise<T> {
  const registry = await startRegistry()
  try {
    return await use(registry)
  } finally {
    await registry.stop()
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
