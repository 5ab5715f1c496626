import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy on the loopback that can withhold the bytes of clients. */
export interface Proxy {
  readonly port: number
  /** Closes all connections, and withholds the bytes of new ones. */
  readonly hold: () => void
  /** Resolves when a withheld connection has sent its first bytes. */
  readonly held: () => Promise<void>
  /** Stops reading from open connections, and withholds the bytes of new ones. */
  readonly stall: () => void
  readonly release: () => void
  readonly stop: () => Promise<void>
}

/** Starts a proxy in front of a server on this machine. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const waiting = new Set<Socket>()
  const passing = new Map<Socket, Socket>()
  let isHolding = false
  let heard: (() => void) | undefined
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client]
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        waiting.delete(from)
        passing.delete(from)
        to.destroy()
      })
    }
    target.pipe(client)
    if (isHolding) holdBack(client, target)
    else {
      passing.set(client, target)
      client.pipe(target)
    }
  })

  function holdBack(client: Socket, target: Socket): void {
    client.once('readable', () => {
      waiting.add(client)
      heard?.()
    })
    client.once('released', () => client.pipe(target))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHolding = true
      for (const socket of sockets) socket.destroy()
    },
    held: async () => {
      if (waiting.size === 0) await new Promise<void>((resolve) => (heard = resolve))
    },
    stall: () => {
      isHolding = true
      for (const client of passing.keys()) client.unpipe().pause()
    },
    release: () => {
      for (const [client, target] of passing) client.pipe(target)
      isHolding = false
      for (const socket of waiting) socket.emit('released')
      waiting.clear()
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
}
