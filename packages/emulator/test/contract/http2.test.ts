import { once } from 'node:events'
import { connect, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { startEmulator } from '@keystamp/emulator'
import { describe, expect, it } from 'vitest'

const TRIES = 40
const HTTP_1_1_REQUIRED = 13
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
// stream 1, with the indexed headers `:method GET`, `:scheme http`, `:path /`
const HEADERS = Buffer.from([0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84])

describe.each([{ https: false }, { https: true }])('a client that speaks HTTP/2 only: %o', (options) => {
  it(`gets HTTP_1_1_REQUIRED as the reason of its failed request, in ${TRIES} of ${TRIES} attempts`, async () => {
    const emulator = await startEmulator(options)
    const reasons: unknown[] = []
    for (let i = 0; i < TRIES; i++) {
      const session = connect(emulator.endpoint, { rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      reasons.push(await reasonOf(session))
    }
    await emulator.stop()

    expect(reasons).toEqual(Array.from({ length: TRIES }, () => HTTP_1_1_REQUIRED))
  })

  it('gets HTTP_1_1_REQUIRED only after it has opened a stream, and then the connection ends', async () => {
    const emulator = await startEmulator(options)
    const { hostname, port } = new URL(emulator.endpoint)
    const socket = await open(options.https, hostname, Number(port))
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    const ended = once(socket, 'end')
    socket.write(Buffer.concat([PREFACE, SETTINGS]))
    await expect.poll(() => received.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = typesOf(Buffer.concat(received))
    // in pieces: a frame may end anywhere
    for (const byte of HEADERS) socket.write(Buffer.of(byte))
    await ended
    const all = Buffer.concat(received)
    socket.destroy()
    await emulator.stop()

    expect(before).not.toContain('GOAWAY')
    expect(before[0]).toBe('SETTINGS')
    expect(typesOf(all).at(-1)).toBe('GOAWAY')
    expect(all.readUInt32BE(all.length - 4)).toBe(HTTP_1_1_REQUIRED)
  })

  it('does not prevent the emulator from stopping', async () => {
    const emulator = await startEmulator(options)
    const { hostname, port } = new URL(emulator.endpoint)
    const socket = await open(options.https, hostname, Number(port))
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    socket.resume().write(Buffer.concat([PREFACE, SETTINGS]))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await emulator.stop()

    expect(await closed).toEqual([false])
  })
})

/**
 * The HTTP/2 error code of a failed request; a sentence if it failed for another reason, or if the connection ended
 * before it.
 */
function reasonOf(session: ClientHttp2Session): Promise<unknown> {
  return new Promise((resolve) => {
    session.on('error', () => {})
    const send = (): void => {
      if (session.destroyed) return
      const request = session.request({ ':path': '/' })
      request.on('error', (error: Error) =>
        resolve(Number(/with error code (\d+)/.exec(error.message)?.[1] ?? error.message))
      )
      request.on('response', () => resolve('a response'))
      request.end()
    }
    // some clients shake hands first, and send their request a little later
    session.once('remoteSettings', () => setTimeout(send, 5))
    session.on('close', () => setImmediate(() => resolve('the connection ended before a request could fail')))
  })
}

async function open(isTls: boolean, host: string, port: number): Promise<Socket> {
  const socket = isTls
    ? connectTls({ host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false })
    : connectTcp({ host, port })
  await once(socket, isTls ? 'secureConnect' : 'connect')
  return socket
}

const TYPES: Readonly<Record<number, string>> = { 4: 'SETTINGS', 7: 'GOAWAY' }

function typesOf(bytes: Buffer): string[] {
  const types: string[] = []
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    types.push(TYPES[bytes[at + 3]] ?? String(bytes[at + 3]))
  return types
}
