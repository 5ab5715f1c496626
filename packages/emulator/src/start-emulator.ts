import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Meter } from './charge/meter.ts'
import { answerControl } from './control/control-handler.ts'
import { Clock, type Control, createControl } from './control/control.ts'
import { sweepExpired } from './engine/apply-decision.ts'
import { Mover } from './engine/mover.ts'
import { OperationLog } from './engine/operation-log.ts'
import { createExplorer } from './explorer/explorer-handler.ts'
import { Faults } from './fault/faults.ts'
import { type EmulatorOptions, resolveSettings, type Settings } from './settings.ts'
import { Account } from './store/account.ts'
import { Storage } from './store/storage.ts'
import { createAuthorizer } from './wire/authorize.ts'
import { createFirstContainers } from './wire/container-handlers.ts'
import { KeptResults } from './wire/continuation.ts'
import { createDispatch } from './wire/dispatch.ts'
import { createQuerier } from './wire/querier.ts'
import { createCertificate, createWireServer } from './wire/server.ts'
import type { Service } from './wire/service.ts'
import { createHostCheck } from './wire/web-page-requests.ts'

/** A running emulator. */
export interface Emulator extends Control {
  /** Where clients connect: scheme, host and port. */
  readonly endpoint: string
  /** The account key. */
  readonly key: string
  /** Endpoint and key in one string, as the portal shows them. */
  readonly connectionString: string
  /** The certificate as PEM, for trust stores; undefined without https. */
  readonly certificate: string | undefined
  /** Token of the control path; undefined when it requires none. */
  readonly controlToken: string | undefined
  /** Address of the explorer page for a browser; with a control token, the token is after the `#`. */
  readonly explorer: string
  /** Closes all connections and drops all data. */
  readonly stop: () => Promise<void>
}

/** Starts a local Cosmos DB; it is ready when the promise resolves. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = resolveSettings(options, () => randomBytes(16).toString('hex'))
  const certificate = settings.https
    ? await createCertificate(settings.certificateNames, new Date(settings.now()))
    : undefined
  const clock = new Clock(settings.now)
  const service = createService(settings, clock)
  createFirstContainers(service, settings.containers)
  const control = createControl(service, clock)
  const controlSettings = {
    token: settings.controlToken,
    certificate: certificate?.pem,
    checkHost: createHostCheck(settings)
  }
  const explorer = createExplorer(service, control, controlSettings)
  const dispatch = createDispatch(service, createAuthorizer(settings), (request) =>
    request.address.segments[0] === '_explorer' ? explorer(request) : answerControl(control, controlSettings, request)
  )
  const server = createWireServer(certificate, dispatch, settings.log)
  await listen(server, settings)
  const sweeper = setInterval(() => sweepExpired(service.account, service.now()), SWEEP_MS).unref()
  const { port } = server.address() as AddressInfo
  const endpoint = `${settings.https ? 'https' : 'http'}://${urlHost(settings.host)}:${port}/`
  return {
    ...control,
    endpoint,
    key: settings.key,
    connectionString: `AccountEndpoint=${endpoint};AccountKey=${settings.key};`,
    certificate: certificate?.pem,
    controlToken: settings.controlToken,
    explorer: `${endpoint}_explorer${settings.controlToken === undefined ? '' : `#token=${encodeURIComponent(settings.controlToken)}`}`,
    stop: () => {
      clearInterval(sweeper)
      service.mover.stop()
      return close(server)
    }
  }
}

const SWEEP_MS = 5000

function urlHost(host: string): string {
  // clients cannot connect to the address of all interfaces
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function createService(settings: Settings, clock: Clock): Service {
  const { now } = clock
  const { random } = settings
  const account = new Account()
  const querier = createQuerier(now)
  const meter = new Meter(settings.throttle, random)
  const mover = new Mover({ account, meter, lockMs: settings.moveMs, now })
  const engine = {
    meter,
    log: new OperationLog(settings.operationLog),
    meets: querier.meets,
    storage: new Storage(settings, settings.storageScale),
    now,
    followGrowth: mover.followGrowth.bind(mover)
  }
  return { account, engine, settings, querier, results: new KeptResults(), mover, faults: new Faults(random), now }
}

function listen(server: Server, settings: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
