import { isIP } from 'node:net'
import { ServiceError } from '../service-error.ts'
import type { Settings } from '../settings.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/**
 * Refuses a request that a browser sent for a web page. A browser adds the header `origin` to each request that can
 * write, and a page cannot remove it. So no web page in the browser of a developer can write to the emulator.
 */
export function refuseWebPage(request: WireRequest): void {
  if (request.headers.origin === undefined) return
  throw new ServiceError(
    403,
    "Requests of web pages are refused, so that no page in a browser can write to the emulator. If a proxy forwards requests of your page on purpose, let it remove the header 'origin'."
  )
}

/**
 * Refuses a request of a browser unless the explorer page of this emulator sent it. `sec-fetch-site` covers requests
 * without an origin, such as those of images and links.
 */
export function refuseOtherSite(request: WireRequest): void {
  const { origin } = request.headers
  const site = headerOf(request, 'sec-fetch-site')
  const isOwn = origin === undefined || origin === request.origin
  const isSameSite = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET')
  if (!isOwn || !isSameSite)
    throw new ServiceError(403, 'Only the explorer page of this emulator may send this request.')
}

/**
 * Creates a check of the header `host` that stops DNS rebinding: a web page whose host name leads to the loopback
 * would otherwise have the same origin as the emulator. Addresses, names without a dot and names below `localhost` and
 * `internal` are accepted, since a public page cannot have them.
 */
export function createHostCheck({ host, certificateNames }: Settings): (request: WireRequest) => void {
  const names = new Set([host, ...certificateNames].map((name) => name.toLowerCase()))
  return (request) => {
    const name = hostNameOf(headerOf(request, 'host') ?? 'localhost')
    if (isIP(name) !== 0 || !name.includes('.') || names.has(name) || /\.(?:localhost|internal)$/.test(name)) return
    throw new ServiceError(
      403,
      `The host name '${name}' is not a name of this emulator. Use its address, or name it with the option 'certificateNames'.`
    )
  }
}

function hostNameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host)
  return (bracketed === null ? host.replace(/:\d*$/, '') : bracketed[1]).toLowerCase().replace(/\.$/, '')
}
