import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy in front of a server, whose connections can be made slow to open. */
export interface Gate {
  readonly port: number
  /** Cuts the open connections. Accepts new ones, but forwards nothing, so that a TLS handshake does not complete. */
  readonly hold: () => void
  /** Forwards the held connections, and all later ones. */
  readonly release: () => void
  readonly close: () => Promise<void>
}

/** Opens a gate to a port of the loopback. */
export async function openGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>()
  const held = new Set<Socket>()
  let isHeld = false
  const server = createServer((socket) => {
    track(socket)
    if (isHeld) held.add(socket)
    else pass(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { port: (server.address() as AddressInfo).port, hold, release, close }

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      held.delete(socket)
    })
  }

  function pass(socket: Socket): void {
    const onward = connect(target, '127.0.0.1')
    track(onward)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    socket.pipe(onward)
    onward.pipe(socket)
  }

  function hold(): void {
    isHeld = true
    for (const socket of sockets) socket.destroy()
  }

  function release(): void {
    isHeld = false
    for (const socket of held) pass(socket)
    held.clear()
  }

  function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => {
      server.close(() => resolve())
    })
  }
}
