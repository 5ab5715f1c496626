import type { ISocketFactory } from 'kafkajs'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * The connections of one client. Whoever still asks a client that was disconnected, a retry for example, makes kafkajs connect again,
 * and nobody closes that connection: it would keep the process from ending.
 */
export interface Connections {
  readonly open: ISocketFactory
  /** Closes those that kafkajs has left open, and opens none any more. */
  readonly close: () => void
}

export function createConnections(): Connections {
  const sockets = new Set<Socket>()
  let isClosed = false

  const open: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isClosed) throw new Error(CLOSED)
    const socket = connect({ host, port, ssl, onConnect })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  function close(): void {
    isClosed = true
    // what kafkajs has ended itself closes as soon as the broker has answered
    for (const socket of sockets) if (!socket.writableEnded) socket.destroy(new Error(CLOSED))
  }

  return { open, close }
}

/** Said by connections that this side has closed. */
export const CLOSED = 'This client was closed.'

const KEEP_ALIVE_MS = 60_000

function connect({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket {
  // declared as always there, and false or null where nothing is encrypted
  const options: typeof ssl | false | null = ssl
  if (!options) return connectPlain({ host, port }, onConnect)
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...options }, onConnect)
}
