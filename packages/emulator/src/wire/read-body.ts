import type { IncomingMessage } from 'node:http'
import { ServiceError } from './service-error.ts'

// a document may have 2 MB, and a bulk request wraps it
const MAX_BODY_BYTES = 2 * 1024 * 1024 + 64 * 1024

const EMPTY = Buffer.alloc(0)

// many clients read an answer only when they have sent all of the request, so one that is too large is read to its end, unless it is endless
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** Reads a request's body; one that is too large is read without being kept, and refused at its end. */
export function readBody(message: IncomingMessage): Buffer | Promise<Buffer> {
  const { headers } = message
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    message.resume()
    return EMPTY
  }
  if (Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) return Promise.reject(refuseUnread(message))
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_BODY_BYTES) chunks.push(chunk)
      else chunks = []
      if (length > MAX_DISCARDED_BYTES) reject(refuseUnread(message))
    })
    message.on('end', () => {
      if (length > MAX_BODY_BYTES) reject(tooLarge())
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length))
    })
    message.on('error', reject)
    message.on('aborted', () => reject(new ServiceError(400, 'The client closed the connection before the request was complete.')))
  })
}

function refuseUnread(message: IncomingMessage): ServiceError {
  message.removeAllListeners('data')
  message.resume()
  return tooLarge()
}

function tooLarge(): ServiceError {
  return new ServiceError(413, '{"Errors":["Request size is too large"]} A request has at most 2 MB.')
}
