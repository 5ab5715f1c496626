import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createConnections } from '../../src/consume/connections.ts'

describe('the connections of a client', () => {
  let server: Server
  const accepted: Socket[] = []

  beforeEach(async () => {
    server = createServer((socket) => accepted.push(socket))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
  })

  afterEach(async () => {
    for (const socket of accepted.splice(0)) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })

  function open(connections: ReturnType<typeof createConnections>): Promise<Socket> {
    const { port } = server.address() as { readonly port: number }
    return new Promise((resolve) => {
      const socket = connections.open({ host: '127.0.0.1', port, ssl: undefined as never, onConnect: () => resolve(socket) })
      socket.on('error', () => {})
    })
  }

  it('are closed with it, and none is opened any more', async () => {
    const connections = createConnections()
    const socket = await open(connections)

    connections.close()

    expect(socket.destroyed).toBe(true)
    await expect(open(connections)).rejects.toThrow('This client was closed.')
  })

  it('are left to end by themselves where kafkajs has ended them', async () => {
    const connections = createConnections()
    const socket = await open(connections)
    socket.end()

    connections.close()

    expect(socket.destroyed).toBe(false)
  })
})
