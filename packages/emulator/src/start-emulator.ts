import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Meter } from './charge/meter.ts'
import { answerControl } from './control/control-handler.ts'
import { Clock, type Control, createControl } from './control/control.ts'
import type { DataLog } from './data/data-log.ts'
import { type DataFolder, type DataFolderOptions, openDataFolder } from './data/open-folder.ts'
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
import { findCertificate } from './wire/certificate-cache.ts'
import { createWireServer } from './wire/server.ts'
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
  /** Sentences about the data folder, such as an unfinished entry at the end of a file that was dropped. */
  readonly notices: readonly string[]
  /** Closes all connections. Without a data folder, all data are dropped. */
  readonly stop: () => Promise<void>
}

/** Starts a local Cosmos DB; it is ready when the promise resolves. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = resolveSettings(options, () => randomBytes(16).toString('hex'))
  const account = new Account()
  const data =
    settings.data === undefined ? undefined : await openDataFolder(folderOptions(settings.data, settings), account)
  try {
    return await start(settings, account, data)
  } catch (error) {
    data?.close()
    throw error
  }
}

function folderOptions(path: string, { sync, warn }: Settings): DataFolderOptions {
  return { path, isSync: sync, ...(warn === undefined ? {} : { warn }) }
}

async function start(settings: Settings, account: Account, data: DataFolder | undefined): Promise<Emulator> {
  const certificate = settings.https
    ? await findCertificate(settings.certificateFolder, settings.certificateNames, new Date(settings.now()))
    : undefined
  const clock = new Clock(settings.now, data?.clockAheadMs)
  const service = createService(settings, clock, account, data?.log)
  service.mover.resume()
  createFirstContainers(service, settings.containers)
  const control = createControl(service, clock)
  const controlSettings = {
    token: settings.controlToken,
    certificate: certificate?.pem,
    checkHost: createHostCheck(settings)
  }
  const explorer = createExplorer(service, control, controlSettings)
  const dispatch = createDispatch(service, createAuthorizer(settings, service.account, service.now), (request) =>
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
    notices: data?.notices ?? [],
    stop: async () => {
      clearInterval(sweeper)
      service.mover.stop()
      await close(server)
      data?.close()
    }
  }
}

const SWEEP_MS = 5000

function urlHost(host: string): string {
  // clients cannot connect to the address of all interfaces
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function createService(settings: Settings, clock: Clock, account: Account, data: DataLog | undefined): Service {
  const { now } = clock
  const { random } = settings
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
  const results = new KeptResults()
  return { account, engine, settings, querier, results, mover, faults: new Faults(random), data, now }
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
