import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isBinaryJson, parseBinaryJson } from '../json/binary-json.ts'
import { ServiceError } from '../service-error.ts'
import { type CanonicalDocument, type KnownMembers, scanDocument } from '../store/document.ts'

// a document may have 2 MB, and a bulk request wraps it
const MAX_BODY_BYTES = 2 * 1024 * 1024 + 64 * 1024

const EMPTY = Buffer.alloc(0)

// many clients read an answer only after they have sent the whole request, so a body beyond the limit is read to its
// end, up to this size
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** Reads the body of a request. A body beyond the limit is read and discarded, and then refused. */
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
    message.on('aborted', () =>
      reject(new ServiceError(400, 'The client closed the connection before the request was complete.'))
    )
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

/** The value of a body in JSON or binary JSON. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError(400, 'The request body is empty: it must be JSON.')
  if (isBinaryJson(body)) return parseBinaryJson(body)
  try {
    return JSON.parse(bodyText(body))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(400, 'The request body is not valid JSON.')
  }
}

function bodyText(body: Buffer): string {
  if (isAscii(body)) return body.toString('latin1')
  if (!isUtf8(body)) throw new ServiceError(400, 'The request body is not valid UTF-8.')
  // a byte order mark is not JSON, but some clients send one
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.toString('utf8', 3) : body.toString('utf8')
}

/** The document of a body that is one canonical document; undefined for any other body, valid or not. */
export function readCanonicalBody(body: Buffer, known: KnownMembers): CanonicalDocument | undefined {
  if (!isUtf8(body)) return undefined
  const document = scanDocument(body, new DataView(body.buffer, body.byteOffset, body.length), 0, known)
  return document?.end === body.length ? document : undefined
}
