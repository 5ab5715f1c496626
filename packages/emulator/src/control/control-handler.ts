import { timingSafeEqual } from 'node:crypto'
import type { ThrottleOptions } from '../charge/throttle-options.ts'
import type { ThroughputRedistribution } from '../engine/redistribute-throughput.ts'
import type { FaultRule } from '../fault/fault-rule.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { type Answer, jsonAnswer } from '../wire/answer.ts'
import { parseJsonBody } from '../wire/request-body.ts'
import { refuseWebPage } from '../wire/web-page-requests.ts'
import { headerOf, type WireRequest } from '../wire/wire-request.ts'
import type { Control, OperationFilter } from './control.ts'

/** Settings of the control path. */
export interface ControlSettings {
  readonly token: string | undefined
  readonly certificate: string | undefined
  /** Refuses requests under a host name that is not a name of this emulator. */
  readonly checkHost: (request: WireRequest) => void
}

/** Answers a request under `/_control`, which offers the control functions of the emulator to tests in any language. */
export async function answerControl(
  control: Control,
  settings: ControlSettings,
  request: WireRequest
): Promise<Answer> {
  const segments = request.address.segments.slice(1)
  if (segments[0] !== 'certificate') authorize(settings, request)
  return runControl(control, settings, segments, request)
}

/** Runs a control function for an authorized request; `segments` is the path below the control path. */
export async function runControl(
  control: Control,
  settings: ControlSettings,
  segments: readonly string[],
  request: WireRequest
): Promise<Answer> {
  const path = segments[0] === 'databases' ? `databases/*/containers/*/${pathOfRange(segments)}` : withoutId(segments)
  const methods = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined
  if (methods === undefined)
    throw new ServiceError(
      404,
      `The control path has no '${segments.join('/')}'. It knows ${Object.keys(ROUTES).join(', ')}.`
    )
  const handle = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (handle === undefined)
    throw new ServiceError(405, `The control path '${path}' takes ${Object.keys(methods).join(', ')}.`)
  return handle({ control, settings, segments, request })
}

interface ControlCall {
  readonly control: Control
  readonly settings: ControlSettings
  readonly segments: readonly string[]
  readonly request: WireRequest
}

type ControlHandler = (call: ControlCall) => Answer | Promise<Answer>

const ROUTES: Readonly<Record<string, Readonly<Record<string, ControlHandler>>>> = {
  '': { GET: () => jsonAnswer(200, { status: 'ready', paths: Object.keys(ROUTES) }, 0) },
  certificate: { GET: readCertificate },
  report: { GET: ({ control }) => jsonAnswer(200, control.report(), 0) },
  operations: {
    GET: ({ control, request }) => jsonAnswer(200, control.operations(filterOf(request)), 0),
    DELETE: ({ control }) => done(() => control.clearOperations())
  },
  faults: {
    GET: ({ control }) => jsonAnswer(200, control.faults.list(), 0),
    POST: ({ control, request }) =>
      jsonAnswer(201, { id: control.faults.inject(parseJsonBody(request.body) as FaultRule) }, 0),
    DELETE: ({ control }) => done(() => control.faults.clear())
  },
  'faults/*': { DELETE: ({ control, segments }) => done(() => control.faults.clear(segments[1])) },
  throttle: {
    PUT: ({ control, request }) =>
      done(() => control.throttle(parseJsonBody(request.body) as boolean | ThrottleOptions))
  },
  clock: { GET: ({ control }) => jsonAnswer(200, { nowMs: control.clock.now() }, 0), POST: advanceClock },
  storage: { PUT: scaleStorage },
  reset: { POST: ({ control }) => done(() => control.reset()) },
  'databases/*/containers/*/ranges/*/split': { POST: (call) => move(call, 'split') },
  'databases/*/containers/*/ranges/*/merge': { POST: (call) => move(call, 'merge') },
  'databases/*/containers/*/throughput': {
    GET: ({ control, segments }) => jsonAnswer(200, control.throughputDistribution(segments[1], segments[3]), 0),
    POST: redistributeThroughput
  },
  'databases/*/containers/*/ranges/complete': {
    POST: ({ control, segments }) => done(() => control.completeMoves(segments[1], segments[3]))
  }
}

function authorize(settings: ControlSettings, request: WireRequest): void {
  refuseWebPage(request)
  if (settings.token === undefined) {
    // without a token, a web page could read the control path through its own host name
    settings.checkHost(request)
    return
  }
  const given = Buffer.from(headerOf(request, 'authorization') ?? '')
  const wanted = Buffer.from(`Bearer ${settings.token}`)
  const isRight = given.length === wanted.length && timingSafeEqual(given, wanted)
  if (!isRight)
    throw new ServiceError(401, "The control path requires the control token: send 'authorization: Bearer <token>'.")
}

function withoutId(segments: readonly string[]): string {
  return segments.length === 2 ? `${segments[0]}/*` : segments.join('/')
}

function pathOfRange(segments: readonly string[]): string {
  const [, , containers, , ranges, id, verb] = segments
  if (containers === 'containers' && segments.length === 5 && ranges === 'throughput') return ranges
  if (containers !== 'containers' || ranges !== 'ranges') return ''
  return verb === undefined ? `ranges/${id}` : `ranges/*/${verb}`
}

function filterOf(request: WireRequest): OperationFilter {
  const filter = Object.fromEntries(new URLSearchParams(request.address.search))
  for (const name of Object.keys(filter)) {
    refuseUnless(
      FILTERS.includes(name),
      `Applied writes cannot be filtered by '${name}', only by ${FILTERS.join(', ')}.`
    )
  }
  return filter
}

const FILTERS: readonly string[] = ['database', 'container', 'partitionKey', 'id', 'range']

function readCertificate({ settings }: ControlCall): Answer {
  if (settings.certificate === undefined)
    throw new ServiceError(404, 'The emulator serves plain http: there is no certificate.')
  return { status: 200, body: settings.certificate, chargeRu: 0, headers: ['content-type', 'application/x-pem-file'] }
}

function advanceClock({ control, request }: ControlCall): Answer {
  const body = parseJsonBody(request.body)
  refuseUnless(
    isObject(body) && typeof body['advanceMs'] === 'number',
    "The body must be an object with the number 'advanceMs'."
  )
  control.clock.advance(body['advanceMs'])
  return jsonAnswer(200, { nowMs: control.clock.now() }, 0)
}

function scaleStorage({ control, request }: ControlCall): Answer {
  const body = parseJsonBody(request.body)
  refuseUnless(
    isObject(body) && typeof body['scale'] === 'number',
    "The body must be an object with the number 'scale'."
  )
  const { scale } = body
  try {
    return done(() => control.scaleStorage(scale))
  } catch (error) {
    throw new ServiceError(400, error instanceof Error ? error.message : String(error))
  }
}

async function redistributeThroughput({ control, segments, request }: ControlCall): Promise<Answer> {
  const body = parseJsonBody(request.body)
  // Azure Resource Manager wraps the resource
  const { properties } = isObject(body) ? body : {}
  const wrapped = isObject(properties) ? properties['resource'] : body
  const distribution = await control.redistributeThroughput(
    segments[1],
    segments[3],
    wrapped as ThroughputRedistribution
  )
  return jsonAnswer(200, distribution, 0)
}

async function move({ control, segments, request }: ControlCall, verb: 'split' | 'merge'): Promise<Answer> {
  const options = request.body.length === 0 ? {} : parseJsonBody(request.body)
  refuseUnless(isObject(options), 'The body must be an object, or empty.')
  const { at, lockMs, hold } = options
  refuseUnless(
    at === undefined || typeof at === 'string',
    "The property 'at' must be an effective partition key in hexadecimal."
  )
  refuseUnless(lockMs === undefined || typeof lockMs === 'number', "The property 'lockMs' must be a number.")
  const given = {
    ...(at === undefined ? {} : { at }),
    ...(lockMs === undefined ? {} : { lockMs }),
    hold: hold === true
  }
  const moved = control[verb](segments[1], segments[3], segments[5], given)
  if (!given.hold) return jsonAnswer(200, { children: await moved }, 0)
  // `moved` resolves when the move is completed; here it can only have been rejected
  await Promise.race([moved, new Promise((resolve) => setImmediate(resolve))])
  return jsonAnswer(202, { phase: verb === 'split' ? 'splitting' : 'merging' }, 0)
}

function done(run: () => void): Answer {
  run()
  return { status: 204, body: undefined, chargeRu: 0, headers: [] }
}
