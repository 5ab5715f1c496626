import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { startEmulator } from '@keystamp/emulator'
import { describe, expect, it } from 'vitest'

const CLIENTS = 40
const PIECE = Buffer.alloc(64 * 1024, ' ')

describe.each([{ https: false }, { https: true }])('a request of 5 MB: %o', (options) => {
  it.each([
    ['its length in a header', 'content-length'],
    ['no length', 'transfer-encoding']
  ] as const)(
    `with %s is answered with 413, even if the client sends everything before it reads: for ${CLIENTS} of ${CLIENTS} clients`,
    async (_, how) => {
      const emulator = await startEmulator({ ...options, auth: 'off' })
      const answers: string[] = []
      for (let i = 0; i < CLIENTS; i++) {
        const socket = await open(emulator.endpoint)
        answers.push(await sendAll(socket, 80, how))
        socket.destroy()
      }
      await emulator.stop()

      expect(answers).toEqual(Array.from({ length: CLIENTS }, () => '413 Payload Too Large'))
    }
  )

  it('keeps its connection open for the next requests', async () => {
    const emulator = await startEmulator({ ...options, auth: 'off' })
    const socket = await open(emulator.endpoint)
    const statuses = [await sendAll(socket, 80, 'content-length'), await sendAll(socket, 1, 'content-length')]
    socket.destroy()
    await emulator.stop()

    expect(statuses).toEqual(['413 Payload Too Large', '400 Bad Request'])
  })

  it('is answered before its end if it is extremely large', async () => {
    const emulator = await startEmulator({ ...options, auth: 'off' })
    const socket = await open(emulator.endpoint)
    socket.on('error', () => {})
    const answered = once(socket, 'data')
    socket.write(headOf('content-length', 100_000))
    const [answer] = (await answered) as [Buffer]
    socket.destroy()
    await emulator.stop()

    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
  })
})

async function open(endpoint: string): Promise<Socket> {
  const { hostname, port, protocol } = new URL(endpoint)
  const isTls = protocol === 'https:'
  const to = { host: hostname, port: Number(port) }
  const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connectTcp(to)
  await once(socket, isTls ? 'secureConnect' : 'connect')
  return socket
}

/** Sends pieces of 64 KiB, and reads only after that. Resolves with the status of the answer, or with the error. */
async function sendAll(socket: Socket, pieces: number, how: 'content-length' | 'transfer-encoding'): Promise<string> {
  const write = (bytes: Buffer | string): Promise<void> =>
    new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
  try {
    socket.pause()
    const failed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed without an answer')))
    socket.on('error', () => {})
    await write(headOf(how, pieces))
    for (let i = 0; i < pieces; i++) {
      await write(
        how === 'content-length' ? PIECE : Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')])
      )
    }
    if (how === 'transfer-encoding') await write('0\r\n\r\n')
    const answered = once(socket, 'data').then(
      ([answer]) => /^HTTP\/1\.1 (.*)\r\n/.exec(String(answer))?.[1] ?? String(answer)
    )
    socket.resume()
    return await Promise.race([answered, failed])
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

function headOf(how: 'content-length' | 'transfer-encoding', pieces: number): string {
  const length = how === 'content-length' ? `content-length: ${pieces * PIECE.length}` : 'transfer-encoding: chunked'
  return `POST /dbs HTTP/1.1\r\nhost: localhost\r\n${length}\r\n\r\n`
}
