import { isAscii, isUtf8 } from 'node:buffer'
import { isBinaryJson, parseBinaryJson } from './binary-json/parse-binary-json.ts'
import { ServiceError } from './service-error.ts'

/** The JSON of a body, which is text or binary. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError(400, 'The request body is empty: a JSON text is needed.')
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
  // a byte order mark is no JSON, but some clients send one
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.toString('utf8', 3) : body.toString('utf8')
}
