import { parseThrottle, type ThrottleOptions } from './charge/throttle-options.ts'

/** Options of an emulator. */
export interface EmulatorOptions {
  /** Default: 0, a free port. */
  readonly port?: number
  /** Address to listen on. Default: 127.0.0.1. If it is not a loopback, the control path requires a token. */
  readonly host?: string
  /** Serve TLS with a certificate that is created at the start. Default: false. */
  readonly https?: boolean
  /** Host names and addresses of the certificate, in addition to the loopback. */
  readonly certificateNames?: readonly string[]
  /** Folder that keeps the certificate and its private key between starts. Default: none, a new one at each start. */
  readonly certificateFolder?: string
  /** The account key, base64. Default: the well-known key of Microsoft's emulators. */
  readonly key?: string
  /** Physical partitions of a new container. Default: by its throughput. */
  readonly ranges?: number
  /**
   * Containers to create at the start, with their databases: `fleet/drives:/partitionKey`; the paths of a
   * hierarchical key are separated by commas. Default: none.
   */
  readonly containers?: readonly string[]
  /** RU/s of a container that is created without a throughput, in a database without one. Default: 400. */
  readonly ruPerSecond?: number
  /** Refuse operations beyond the budget of a range. Default: false. */
  readonly throttle?: boolean | ThrottleOptions
  /** Minimum time of each answer. Default: 0. */
  readonly latencyMs?: number
  /** `off` accepts every request. Default: `hmac`. */
  readonly auth?: 'hmac' | 'off'
  /**
   * Accept Entra-like tokens: `data` (or true) for the requests that a data-plane role may send, `all` for all
   * requests. Default: false.
   */
  readonly acceptAad?: boolean | 'data' | 'all'
  /**
   * Token that the control path requires in `authorization: Bearer`. Default: none on a loopback, else a random one.
   */
  readonly controlToken?: string
  /** Number of applied writes that the operation log keeps; 0 keeps none. Default: 100,000. */
  readonly operationLog?: number
  /** Maximum size of a logical partition. Default: 20 GB. */
  readonly maxLogicalPartitionBytes?: number
  /** A range that grows beyond this is split. Default: 50 GB. */
  readonly splitAtBytes?: number
  /**
   * Number of accounted bytes for each byte of a document, so that few documents reach limits of many GB. Default: 1.
   */
  readonly storageScale?: number
  /**
   * Answer to a request for statistics of partitions. `exact`: exact sizes of the largest keys. `approximate`: only
   * keys from 1 GB on, in whole percentages of their range. `none`: no statistics. `refused`: 403. Default: `exact`.
   */
  readonly partitionStatistics?: PartitionStatistics
  /** How long the parents of a split or merge answer 410/1007. Default: 0. */
  readonly moveMs?: number
  /**
   * `plan` refuses cross-partition queries with TOP, ORDER BY, DISTINCT, OFFSET LIMIT or aggregates, as the gateway
   * does: clients run their own plan. `serve` answers them. Default: `plan`.
   */
  readonly crossPartition?: 'serve' | 'plan'
  /** Consistency of the account. Default: Session. */
  readonly consistency?: ConsistencyLevel
  /** Folder in which all data are kept across restarts. Default: none, data are in memory only. */
  readonly data?: string
  /** With `data`: answers wait until the disk has the changes, so that a power failure loses none. Default: false. */
  readonly sync?: boolean
  /** Receives one line of text for each request. Default: none. */
  readonly log?: (line: string) => void
  /**
   * With `data`: receives a sentence when the files of the folder can no longer be compacted, and when they can again.
   * Default: writes it to standard error.
   */
  readonly warn?: (sentence: string) => void
  /** Milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: () => number
  /** Random numbers for faults and retry-after policies. Default: Math.random. */
  readonly random?: () => number
}

/** The five consistency levels of an account. */
export type ConsistencyLevel = 'Strong' | 'BoundedStaleness' | 'Session' | 'ConsistentPrefix' | 'Eventual'

/** The answer of an account to a request for statistics of partitions. */
export type PartitionStatistics = 'exact' | 'approximate' | 'none' | 'refused'

/** The public account key of Microsoft's emulators. */
export const WELL_KNOWN_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

/** Options with their defaults. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly https: boolean
  readonly certificateNames: readonly string[]
  readonly certificateFolder: string | undefined
  readonly key: string
  readonly ranges: number | undefined
  readonly containers: readonly string[]
  readonly ruPerSecond: number
  readonly throttle: ThrottleOptions | undefined
  readonly latencyMs: number
  readonly auth: 'hmac' | 'off'
  readonly acceptAad: 'no' | 'data' | 'all'
  readonly controlToken: string | undefined
  readonly operationLog: number
  readonly maxLogicalPartitionBytes: number
  readonly splitAtBytes: number
  readonly storageScale: number
  readonly partitionStatistics: PartitionStatistics
  readonly moveMs: number
  readonly crossPartition: 'serve' | 'plan'
  readonly consistency: ConsistencyLevel
  readonly data: string | undefined
  readonly sync: boolean
  readonly log: ((line: string) => void) | undefined
  readonly warn: ((sentence: string) => void) | undefined
  readonly now: () => number
  readonly random: () => number
}

/** Completes and checks options. `newToken` creates a control token if one is required and none is given. */
export function resolveSettings(options: EmulatorOptions, newToken: () => string): Settings {
  refuseUnknown(options)
  const host = options.host ?? '127.0.0.1'
  const settings: Settings = {
    port: options.port ?? 0,
    host,
    https: options.https ?? false,
    certificateNames: options.certificateNames ?? [],
    certificateFolder: options.certificateFolder,
    key: options.key ?? WELL_KNOWN_KEY,
    ranges: options.ranges,
    containers: options.containers ?? [],
    ruPerSecond: options.ruPerSecond ?? 400,
    throttle: parseThrottle(options.throttle),
    latencyMs: options.latencyMs ?? 0,
    auth: options.auth ?? 'hmac',
    acceptAad: options.acceptAad === true ? 'data' : options.acceptAad === false ? 'no' : (options.acceptAad ?? 'no'),
    controlToken: options.controlToken ?? (isLoopback(host) ? undefined : newToken()),
    operationLog: options.operationLog ?? 100_000,
    maxLogicalPartitionBytes: options.maxLogicalPartitionBytes ?? 20 * 2 ** 30,
    splitAtBytes: options.splitAtBytes ?? 50 * 2 ** 30,
    storageScale: options.storageScale ?? 1,
    partitionStatistics: options.partitionStatistics ?? 'exact',
    moveMs: options.moveMs ?? 0,
    crossPartition: options.crossPartition ?? 'plan',
    consistency: options.consistency ?? 'Session',
    data: options.data,
    sync: options.sync ?? false,
    log: options.log,
    warn: options.warn,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random
  }
  if (host === '') throw new Error("The option 'host' must be an address such as '127.0.0.1', not empty.")
  if (settings.sync && settings.data === undefined)
    throw new Error("The option 'sync' needs the option 'data', which names the folder.")
  if (settings.data === '') throw new Error("The option 'data' must be the path of a folder, not empty.")
  check('port', settings.port, 0, 65_535)
  check('ranges', settings.ranges ?? 1, 1, 1000)
  check('ruPerSecond', settings.ruPerSecond, 1, 1_000_000)
  check('latencyMs', settings.latencyMs, 0, 600_000)
  check('operationLog', settings.operationLog, 0, 100_000_000)
  checkStorageScale(settings.storageScale)
  checkPartitionStatistics(settings.partitionStatistics)
  check('moveMs', settings.moveMs, 0, 3_600_000)
  return settings
}

/** Throws for a storage scale that is not a whole number from 1 to 1,000,000,000. */
export function checkStorageScale(scale: number): void {
  check('storageScale', scale, 1, 1_000_000_000)
}

const PARTITION_STATISTICS: readonly PartitionStatistics[] = ['exact', 'approximate', 'none', 'refused']

function checkPartitionStatistics(given: PartitionStatistics): void {
  if (!PARTITION_STATISTICS.includes(given))
    throw new Error(
      `The option 'partitionStatistics' must be one of ${PARTITION_STATISTICS.join(', ')}, not ${JSON.stringify(given)}.`
    )
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

const KNOWN: Readonly<Record<keyof EmulatorOptions, true>> = {
  port: true,
  host: true,
  https: true,
  certificateNames: true,
  certificateFolder: true,
  key: true,
  ranges: true,
  containers: true,
  ruPerSecond: true,
  throttle: true,
  latencyMs: true,
  auth: true,
  acceptAad: true,
  controlToken: true,
  operationLog: true,
  maxLogicalPartitionBytes: true,
  splitAtBytes: true,
  storageScale: true,
  partitionStatistics: true,
  moveMs: true,
  crossPartition: true,
  consistency: true,
  data: true,
  sync: true,
  log: true,
  warn: true,
  now: true,
  random: true
}

function refuseUnknown(options: EmulatorOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name))
      throw new Error(`The emulator has no option '${name}'. It knows ${Object.keys(KNOWN).join(', ')}.`)
  }
}

function check(name: string, value: number, min: number, max: number): void {
  const isValid = Number.isInteger(value) && value >= min && value <= max
  if (!isValid) throw new Error(`The option '${name}' must be a whole number from ${min} to ${max}, not ${value}.`)
}
