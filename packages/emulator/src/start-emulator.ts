import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Meter } from './charge/meter.ts'
import { type EmulatorOptions, resolveSettings } from './settings.ts'
import { Account } from './store/account.ts'
import { OperationLog } from './store/operation-log.ts'
import { createAuthorizer } from './wire/authorize.ts'
import { createCertificate } from './wire/certificate.ts'
import { createQuerier } from './wire/querier.ts'
import { findRoute } from './wire/routes.ts'
import { createWireServer } from './wire/server.ts'
import type { Service } from './wire/service.ts'

/** A running emulator. */
export interface Emulator {
  readonly endpoint: string
  readonly key: string
  readonly stop: () => Promise<void>
}

/** Starts a local Cosmos DB; it is ready when the promise resolves. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = resolveSettings(options, () => randomBytes(16).toString('hex'))
  const certificate = settings.https ? await createCertificate(settings.certificateNames, new Date(settings.now())) : undefined
  const account = new Account()
  const querier = createQuerier()
  const engine = {
    meter: new Meter(settings.throttle, settings.random),
    log: new OperationLog(settings.operationLog),
    meets: querier.meets,
    maxLogicalPartitionBytes: settings.maxLogicalPartitionBytes,
    now: settings.now
  }
  const service: Service = { account, engine, settings, querier, now: settings.now }
  const authorize = createAuthorizer(settings)
  const server = createWireServer(certificate, {
    answer: (request) => {
      authorize(request)
      return findRoute(request).handle(service, request)
    },
    beforeSend: (_, answer) => answer
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const scheme = certificate === undefined ? 'http' : 'https'
  return {
    endpoint: `${scheme}://${settings.host}:${port}/`,
    key: settings.key,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
