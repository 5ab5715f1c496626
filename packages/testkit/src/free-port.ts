import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Finds a port of the loopback without a listener. It is below the ports that operating systems use for outgoing
 * connections (from 32768 on), so that no connection takes it before the caller listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT)
    if (await isFree(port)) return port
  }
}

const FIRST_PORT = 15_000
const END_PORT = 32_000

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true))
    })
  })
}
