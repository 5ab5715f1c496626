import type { RequestOptions } from 'node:http'
import { urlToHttpOptions } from 'node:url'

/** Target of requests, in the form that Node needs. */
export interface Address {
  readonly isTls: boolean
  readonly host: string
  readonly target: RequestOptions
}

// requests use few addresses, and parsing one costs more than finding it
const addresses = new Map<string, Address>()

/** Address of a path below an endpoint, made once. */
export function toAddress(endpoint: string, path: string): Address {
  let address = addresses.get(endpoint + path)
  if (address === undefined)
    addresses.set(endpoint + path, (address = createAddress(new URL(endpoint.replace(/\/+$/, '') + path))))
  return address
}

function createAddress(url: URL): Address {
  const { protocol, hostname, port, path } = urlToHttpOptions(url)
  return { isTls: protocol === 'https:', host: url.host, target: { method: 'POST', protocol, hostname, port, path } }
}

/**
 * Whether the path of a URL can name the item. Half of a surrogate pair cannot be encoded, `.` and `..` are removed from
 * a path together with what they refer to, and a path with an encoded slash is changed on its way.
 */
export function isAddressable(id: string): boolean {
  return id !== '.' && id !== '..' && !/[/\\]/.test(id) && id.isWellFormed()
}
