import { Agent } from 'node:https'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAgentTransport } from '../../src/transport/agent-transport.ts'
import { createPooledTransport } from '../../src/transport/pooled-transport.ts'
import type { Request, Transport } from '../../src/transport/transport.ts'

let emulator: Emulator
let transport: Transport

beforeAll(async () => {
  emulator = await startEmulator({ https: true, auth: 'off' })
})

afterEach(() => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  transport.close()
})

afterAll(() => emulator.stop())

describe('over https', () => {
  it('a service that is trusted is asked through a pool', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    transport = createPooledTransport(options())

    expect(await transport.send(request)).toMatchObject({ kind: 'refused', status: 404 })
  })

  it('a service whose certificate is not trusted is sent nothing', async () => {
    transport = createPooledTransport(options())

    expect(await transport.send(request)).toEqual({ kind: 'unanswered', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT', isSent: false })
  })

  it('a given agent brings the certificates that it trusts', async () => {
    const agent = new Agent({ ca: emulator.certificate })
    transport = createAgentTransport({ ...options(), agent })

    expect(await transport.send(request)).toMatchObject({ kind: 'refused', status: 404 })
    agent.destroy()
  })
})

const request: Request = { rangeId: '0', atomicKey: undefined, body: Buffer.from('[]'), operations: 0, maySend: () => true }

function options(): Parameters<typeof createPooledTransport>[0] {
  return { endpoint: () => Promise.resolve(emulator.endpoint), database: 'd', container: 'c', sign: () => ({}), timeoutMs: 5000 }
}
