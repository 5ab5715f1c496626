import type { Duplex } from 'node:stream'

/** Whether a connection begins with the preface of HTTP/2. */
export function isHttp2(received: Buffer | undefined): received is Buffer {
  return received?.subarray(0, PREFACE_START.length).toString('latin1') === PREFACE_START
}

/**
 * Tells an HTTP/2 client to use HTTP/1.1. Waits until the client has opened its first stream: if the connection ends
 * earlier, clients report a lost connection instead of this reason.
 */
export function refuseHttp2(socket: Duplex, received: Buffer): void {
  // the HTTP/1.1 parser must not read the rest
  socket.removeAllListeners('data').removeAllListeners('end')
  const findHeaders = createHeadersFinder()
  const refuse = (): void => {
    clearTimeout(idle)
    socket.off('data', read)
    // reads the rest of the client's bytes, since a reset of the connection could overtake the reason
    socket.resume().once('end', () => socket.destroy())
    socket.end(HTTP_1_1_REQUIRED)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  const read = (chunk: Buffer): void => {
    if (findHeaders(chunk)) refuse()
  }
  const idle = setTimeout(refuse, IDLE_MS).unref()
  socket.once('close', () => clearTimeout(idle))
  socket.once('end', refuse)
  socket.on('data', read)
  socket.write(EMPTY_SETTINGS)
  read(received)
}

const PREFACE_START = 'PRI * HTTP/2.0'
const PREFACE_BYTES = 24
const FRAME_HEAD_BYTES = 9
// after this time the refusal is sent, even if the client has opened no stream
const IDLE_MS = 10_000
const LINGER_MS = 1000

const HEADERS = 1
const SETTINGS = 4
const GOAWAY = 7
const ERROR_HTTP_1_1_REQUIRED = 13

const EMPTY_SETTINGS = frame(SETTINGS, [])
const HTTP_1_1_REQUIRED = frame(GOAWAY, [0, 0, 0, 0, 0, 0, 0, ERROR_HTTP_1_1_REQUIRED])

function frame(type: number, payload: readonly number[]): Buffer {
  return Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0, ...payload])
}

/** Reads the bytes of a client from the preface on; returns true after the head of a HEADERS frame. */
function createHeadersFinder(): (chunk: Buffer) => boolean {
  let toSkip = PREFACE_BYTES
  let head: Buffer = Buffer.alloc(0)
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      const skipped = Math.min(toSkip, chunk.length - at)
      toSkip -= skipped
      at += skipped
      if (toSkip > 0) return false
      const taken = chunk.subarray(at, at + FRAME_HEAD_BYTES - head.length)
      head = Buffer.concat([head, taken])
      at += taken.length
      if (head.length < FRAME_HEAD_BYTES) return false
      if (head[3] === HEADERS) return true
      toSkip = head.readUIntBE(0, 3)
      head = Buffer.alloc(0)
    }
    return false
  }
}
