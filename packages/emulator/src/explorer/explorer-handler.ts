import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Control } from '../control/control.ts'
import { type ControlSettings, runControl } from '../control/control-handler.ts'
import { ServiceError } from '../service-error.ts'
import { type Answer, jsonAnswer } from '../wire/answer.ts'
import { createDispatch, type Dispatch } from '../wire/dispatch.ts'
import type { Service } from '../wire/service.ts'
import { refuseOtherSite } from '../wire/web-page-requests.ts'
import { headerOf, parseAddress, type WireRequest } from '../wire/wire-request.ts'
import { reportLive } from './live-report.ts'

/** Header in which the page sends its token. */
const TOKEN_HEADER = 'x-explorer-token'

/**
 * Creates the handler of requests under `/_explorer`: the page, its live state, and the data and control requests of
 * the page. The page proves itself by a token instead of a signature. On the loopback the token is in the page; with
 * a control token, the user enters that one.
 */
export function createExplorer(service: Service, control: Control, settings: ControlSettings): Dispatch {
  const token = settings.token ?? randomBytes(24).toString('base64url')
  const data = createPageDispatch(service)
  return (request) => {
    const [, room = '', ...rest] = request.address.segments
    if (PAGE_PATHS.has(room) && rest.length === 0) {
      settings.checkHost(request)
      return pageAnswer(request, settings.token === undefined ? token : null)
    }
    if (room === 'emulator.pem') return runControl(control, settings, ['certificate'], request)
    if (!ROOMS.has(room)) throw new ServiceError(404, `The explorer has no '${room}'. Its page is /_explorer.`)
    authorize(settings, token, request)
    if (room === 'control') return runControl(control, settings, rest, request)
    if (room === 'data') return data(toDataRequest(request))
    return jsonAnswer(200, reportLive(service, liveRequestOf(request)), 0)
  }
}

// Microsoft's emulators serve their page at the last path
const PAGE_PATHS: ReadonlySet<string> = new Set(['', 'index.html'])
const ROOMS: ReadonlySet<string> = new Set(['control', 'data', 'live'])

/** The ordinary data plane. It serves queries over several ranges, since the page executes no query plans. */
function createPageDispatch(service: Service): Dispatch {
  const settings = { ...service.settings, crossPartition: 'serve' as const }
  return createDispatch(
    { ...service, settings },
    (request) => request,
    () => Promise.reject(new ServiceError(404, 'This path is not a path of the data plane.'))
  )
}

async function pageAnswer(request: WireRequest, token: string | null): Promise<Answer> {
  if (request.method !== 'GET') throw new ServiceError(405, 'The page of the explorer takes GET.')
  // loaded on demand, so that an emulator whose page is not opened starts as fast as without it
  const { renderPage } = await import('./page.ts')
  const { body, policy } = renderPage(token)
  return {
    status: 200,
    body,
    chargeRu: 0,
    headers: [
      'content-type',
      'text/html; charset=utf-8',
      'content-security-policy',
      policy,
      'cross-origin-opener-policy',
      'same-origin',
      'cross-origin-resource-policy',
      'same-origin',
      'referrer-policy',
      'no-referrer',
      'x-content-type-options',
      'nosniff'
    ]
  }
}

function authorize(settings: ControlSettings, token: string, request: WireRequest): void {
  settings.checkHost(request)
  refuseOtherSite(request)
  const given = Buffer.from(headerOf(request, TOKEN_HEADER) ?? '')
  const wanted = Buffer.from(token)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new ServiceError(
      401,
      settings.token === undefined
        ? 'The page belongs to an earlier start of the emulator: load it again.'
        : 'The explorer requires the control token, which the emulator prints at the start.'
    )
}

function toDataRequest(request: WireRequest): WireRequest {
  const { origin: _, ...headers } = request.headers
  const { segments, search } = request.address
  const url = `/${segments.slice(2).map(encodeURIComponent).join('/')}${search}`
  return { ...request, headers, address: parseAddress(url) }
}

function liveRequestOf({ address }: WireRequest): Parameters<typeof reportLive>[1] {
  const given = new URLSearchParams(address.search)
  return {
    database: given.get('database') ?? undefined,
    container: given.get('container') ?? undefined,
    known: given.get('known') ?? undefined,
    since: Number(given.get('since') ?? 0)
  }
}
