import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWriter, type Outcome, type Writer } from '../../src/index.ts'
import { ResettingAgent } from '../../src/client/connections.ts'
import { type Proxy, startProxy } from '../client/start-proxy.ts'

/** Starts TLS over a connected socket, as agents for proxies do. */
class TunnelAgent extends Agent {
  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void
  ): undefined {
    const socket = connect(Number(options.port), '127.0.0.1', () => {
      callback?.(null, connectTls({ ...(options as ConnectionOptions), socket }))
    })
  }
}

const AGENTS: readonly (readonly [string, new (options: AgentOptions, connectTimeoutMs: number) => Agent])[] = [
  ['an agent of its own', ResettingAgent],
  ['an agent of the caller', Agent],
  ['a tunnel', TunnelAgent]
]

describe.each(AGENTS)('a writer whose TLS handshake takes long, with %s', (_name, TestAgent) => {
  let emulator: Emulator
  let proxy: Proxy
  let agent: Agent
  let writer: Writer
  let isOpen: boolean

  beforeEach(async () => {
    emulator = await startEmulator({ https: true, containers: ['db/c:/pk'] })
    proxy = await startProxy(Number(new URL(emulator.endpoint).port))
    agent = new TestAgent({ ca: emulator.certificate, keepAlive: true }, 5000)
    isOpen = true
    const endpoint = `https://127.0.0.1:${proxy.port}/`
    writer = await createWriter({
      endpoint,
      key: emulator.key,
      agent,
      database: 'db',
      container: 'c',
      maySend: () => isOpen
    })
    await submit('before')
    proxy.hold()
    // a request over a kept connection that was closed would fail and be sent again
    await vi.waitUntil(() => Object.keys(agent.freeSockets).length === 0, { timeout: 15_000 })
  })

  afterEach(async () => {
    await writer.close(0)
    agent.destroy()
    await proxy.stop()
    await emulator.stop()
  })

  it('L5 does not send a delayed write after its partition has moved', async () => {
    const moved = { isLost: false }
    const lost = submit('a', moved)
    const kept = submit('b', { isLost: false })
    await proxy.held()

    moved.isLost = true
    proxy.release()

    expect(await lost).toMatchObject({ code: 'WRITE_FENCED' })
    expect(await kept).toMatchObject({ kind: 'written' })
    expect(applied()).toEqual(['before', 'b'])
  })

  it('L5 does not send a delayed write during a rebalance, but after it', async () => {
    const kept = submit('a', { isLost: false })
    await proxy.held()

    isOpen = false
    proxy.release()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(applied()).toEqual(['before'])
    isOpen = true

    expect(await kept).toMatchObject({ kind: 'written' })
    expect(writer.stats().retries).toEqual({})
  })

  function submit(id: string, fence?: { readonly isLost: boolean }): Promise<Outcome | Error> {
    return new Promise((resolve) => {
      writer.submit({ kind: 'upsert', record: { id, pk: 'k' } }, resolve, fence)
    })
  }

  function applied(): readonly string[] {
    return emulator.operations().map(({ id }) => id)
  }
})
