import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import { createWriter } from '../../src/index.ts'
import { ResettingAgent } from '../../src/client/connections.ts'
import { type Proxy, startProxy } from './start-proxy.ts'

describe.each([
  ['TCP', false],
  ['TLS', true]
])('a request over %s', (_name, https) => {
  let emulator: Emulator
  let proxy: Proxy

  afterEach(async () => {
    await proxy.stop()
    await emulator.stop()
  })

  it.each([
    ['canceled by a timeout', 1500],
    ['in flight when its writer is closed', 60_000]
  ])(
    'L4 that is %s is not applied later if this machine has not sent all of its bytes',
    async (_when, requestTimeoutMs) => {
      emulator = await startEmulator({ https, containers: ['db/c:/pk'] })
      proxy = await startProxy(Number(new URL(emulator.endpoint).port))
      const agent = new ResettingAgent({ ca: emulator.certificate, keepAlive: true }, 5000)
      const place = { key: emulator.key, ...(https ? { agent } : {}), database: 'db', container: 'c' }
      const endpoint = `http${https ? 's' : ''}://127.0.0.1:${proxy.port}/`
      const writer = await createWriter({ ...place, endpoint, requestTimeoutMs, retryForMs: 1 })
      const upsert = (text: string): Promise<unknown> =>
        writer.write({ kind: 'upsert', record: { id: 'a', pk: 'p', text } }).catch(() => undefined)
      const late: string[] = []
      writer.events.on('lateRequest', ({ stage }) => late.push(stage))
      // TLS begins before the connection stalls
      expect(await upsert('before')).toMatchObject({ kind: 'written' })
      proxy.stall()

      // more than the proxy and its operating system buffer, and less than the operating system of the writer buffers
      const written = upsert('x'.repeat(BYTES))
      // in one of the two cases, the request times out by itself
      await (requestTimeoutMs < 60_000 ? written : new Promise((resolve) => setTimeout(resolve, 400)))
      await writer.close(0)
      await written
      proxy.release()
      await new Promise((resolve) => setTimeout(resolve, 300))

      // the last byte of the request had left the process
      expect(late).toContain('unanswered')
      expect(emulator.operations()).toHaveLength(1)
      agent.destroy()
    }
  )
})

const BYTES = 300_000
