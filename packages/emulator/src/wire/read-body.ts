import type { IncomingMessage } from 'node:http'
import { ServiceError } from './service-error.ts'

// a document may have 2 MB, and a bulk request wraps it
const MAX_BODY_BYTES = 2 * 1024 * 1024 + 64 * 1024

const EMPTY = Buffer.alloc(0)

/** Reads a request's body; one that is too large is refused as soon as that is known. */
export function readBody(message: IncomingMessage): Buffer | Promise<Buffer> {
  const { headers } = message
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    message.resume()
    return EMPTY
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.reject(drain(message))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MAX_BODY_BYTES) reject(drain(message))
      else chunks.push(chunk)
    })
    message.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)))
    message.on('error', reject)
    message.on('aborted', () => reject(new ServiceError(400, 'The client closed the connection before the request was complete.')))
  })
}

// The client may still be writing: it reads the answer only if we take what it sends.
function drain(message: IncomingMessage): ServiceError {
  message.removeAllListeners('data')
  message.resume()
  return new ServiceError(413, 'Request size is too large: a request has at most 2 MB.')
}
