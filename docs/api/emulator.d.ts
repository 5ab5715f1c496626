// API report of @keystamp/emulator, made by npm run docs. A change here is a change of the public API.

/** An active rule. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that matched. */
  matched: number
  /** Requests to which the fault was applied. */
  applied: number
}

/** One applied write; `sequence` gives the order. */
export interface AppliedWrite {
  readonly sequence: number
  readonly database: string
  readonly container: string
  /** The partition key as a JSON array, in which `{}` is an absent value. */
  readonly partitionKey: string
  readonly id: string
  readonly operation: OperationType
  readonly range: string
  readonly lsn: number
  readonly etag: string | undefined
  readonly activityId: string
  readonly atMs: number
}

/** Functions of the process that the command uses. */
export interface CommandDependencies {
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
  /** Receives a line for each request, with --verbose. */
  readonly log: (line: string) => void
  /** The command as users type it, for help. */
  readonly commandName: string
  readonly waitForShutdown: () => Promise<unknown>
}

/** State of the compaction of a data folder. */
export interface CompactionReport {
  /** `failing`: the last attempt failed, so the files grow with each change. */
  readonly state: 'working' | 'failing'
  /** Begin of this state by the clock of the machine, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Reason of the last failure, as a part of a sentence; left out while compactions work. */
  readonly reason?: string
  /** Time of the next attempt, which the next change after it begins; left out while compactions work. */
  readonly retryAtMs?: number
}

/** The five consistency levels of an account. */
export type ConsistencyLevel = 'Strong' | 'BoundedStaleness' | 'Session' | 'ConsistentPrefix' | 'Eventual'

/** One container of a report. */
export interface ContainerReport {
  readonly database: string
  readonly container: string
  readonly items: number
  readonly throughput: ThroughputReport
  readonly ranges: readonly RangeReport[]
  /** The partition keys with the highest charges, highest first. */
  readonly hottestKeys: readonly {
    readonly partitionKey: string
    readonly chargedRu: number
  }[]
}

/** Functions for tests, also available over HTTP under `/_control`. */
export interface Control {
  readonly faults: {
    /** Injects a fault; returns its id, which `clear` takes. */
    readonly inject: (rule: FaultRule) => string
    /** Removes one fault, or all. */
    readonly clear: (id?: string) => void
    readonly list: () => readonly ActiveFault[]
  }
  /** Splits a range; resolves with the ids of its children. */
  readonly split: (
    database: string,
    container: string,
    rangeId: string,
    options?: MoveOptions & {
      at?: string
    }
  ) => Promise<string[]>
  /** Merges a range with its upper neighbor; resolves with the id of the child. */
  readonly merge: (database: string, container: string, rangeId: string, options?: MoveOptions) => Promise<string[]>
  /** Completes splits and merges that were started with `hold`. */
  readonly completeMoves: (database: string, container: string) => void
  /** The throughput of each range of a container, which has throughput of its own. */
  readonly throughputDistribution: (database: string, container: string) => ThroughputDistribution
  /**
   * Changes the throughput of single ranges, as `redistributeThroughput` of Azure Resource Manager does. A range with
   * more than 10,000 RU/s is split; resolves with the new distribution after the splits.
   */
  readonly redistributeThroughput: (
    database: string,
    container: string,
    redistribution: ThroughputRedistribution
  ) => Promise<ThroughputDistribution>
  /** Sets the number of accounted bytes for each byte of a document: the option `storageScale`. */
  readonly scaleStorage: (scale: number) => void
  /** Budget, usage and refusals of each range. */
  readonly report: () => EmulatorReport
  /** The applied writes that match the filter, oldest first. */
  readonly operations: (filter?: OperationFilter) => AppliedWrite[]
  readonly clearOperations: () => void
  /** Turns throttling on or off, or changes its options. */
  readonly throttle: (options: boolean | ThrottleOptions) => void
  readonly clock: {
    readonly now: () => number
    readonly advance: (ms: number) => void
  }
  /** Drops all databases, faults and logged operations. */
  readonly reset: () => void
}

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

/** An emulator in its own process; its control functions are available over HTTP. */
export interface EmulatorProcess {
  readonly endpoint: string
  readonly key: string
  readonly certificate: string | undefined
  readonly controlToken: string | undefined
  /** Address of the explorer page for a browser. */
  readonly explorer: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Budgets, usage and refusals of all containers. */
export interface EmulatorReport {
  readonly atMs: number
  readonly isThrottling: boolean
  readonly containers: readonly ContainerReport[]
  /** Whether the files of the data folder can be compacted; left out without a data folder. */
  readonly compaction?: CompactionReport
}

/** Action of a fault. */
export type FaultAction =
  | ({
      readonly kind: 'status'
    } & FaultStatus)
  | {
      readonly kind: 'delay'
      readonly ms: number
    }
  | {
      readonly kind: 'reset'
    }
  | {
      readonly kind: 'applyThenDrop'
    }
  | {
      readonly kind: 'applyThenDelay'
      readonly ms: number
    }
  | ({
      readonly kind: 'applyThenStatus'
    } & FaultStatus)
  | {
      readonly kind: 'shortAnswer'
      readonly missing?: number
    }
  | {
      readonly kind: 'emptyBody'
      readonly status?: number
    }
  | {
      readonly kind: 'htmlBody'
      readonly status?: number
    }
  | {
      readonly kind: 'clockSkew'
      readonly ms: number
    }

/** An injected fault: the requests to which it applies, how often, and its action. */
export interface FaultRule {
  /** A kind of request, a group of kinds, or `bulkOperation` for single operations of bulk requests. Default: `any`. */
  readonly on?: string | readonly string[]
  /** For `bulkOperation`: `Create`, `Upsert`, `Replace`, `Read`, `Delete` or `Patch`. */
  readonly operationType?: string
  readonly database?: string
  readonly container?: string
  /** Id of the range that serves the request. */
  readonly range?: string
  /** Id of the item. */
  readonly id?: string
  /** Partition key as a JSON array, such as `["a"]`. */
  readonly partitionKey?: string
  /** Number of matching requests that pass first. Default: 0. */
  readonly after?: number
  /** Maximum number of requests to which the fault is applied. Default: no limit. */
  readonly count?: number
  /** Apply with this probability. Default: 1. */
  readonly probability?: number
  readonly action: FaultAction
}

/** Error answer of a fault. */
export interface FaultStatus {
  readonly status: number
  readonly subStatus?: number
  readonly retryAfterMs?: number
  readonly message?: string
}

/** Options for a split or merge. */
export interface MoveOptions {
  /** How long the parents are listed and answer 410/1007. Default: the emulator's `moveMs`. */
  readonly lockMs?: number
  /** Stay in that phase until `completeMoves`. Default: false. */
  readonly hold?: boolean
}

/** Filter for applied writes; `partitionKey` is a JSON array such as `["a"]`. */
export type OperationFilter = Partial<Pick<AppliedWrite, 'database' | 'container' | 'partitionKey' | 'id' | 'range'>>

/** The answer of an account to a request for statistics of partitions. */
export type PartitionStatistics = 'exact' | 'approximate' | 'none' | 'refused'

/** The RU/s of a physical partition; its id is the id of its range. */
export interface PhysicalPartitionThroughput {
  readonly id: string
  readonly throughput: number
}

/** One range of a report; totals count from the creation of the range. */
export interface RangeReport {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
  readonly phase: string
  readonly parents: readonly string[]
  readonly items: number
  /** Accounted size: the bytes of the documents times the storage scale. */
  readonly bytes: number
  readonly lsn: number
  /** RU that the range may spend in a second. */
  readonly provisionedRuPerSecond: number
  readonly usedRu: number
  readonly refusedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledRequests: number
  /** The last two minutes, without the seconds that had no request. */
  readonly seconds: readonly ReportedSecond[]
}

/** One second of a range. `usedShare` is the used share of the budget, above 1 when the budget was overdrawn. */
export interface ReportedSecond extends UsageSecond {
  readonly usedShare: number
}

/** The retry-after of a throttled request. */
export type RetryAfterPolicy =
  | 'window'
  | 'overdraft'
  | 'long-tail'
  | {
      readonly fixedMs: number
    }
  | {
      readonly cappedMs: number
    }

/** How RU are counted in a second, and how throttled requests are answered. */
export interface ThrottleOptions {
  /**
   * `tumbling`: the budget is reset at each second of the clock. `token-bucket`: it refills evenly. Default:
   * `tumbling`.
   */
  readonly window?: 'tumbling' | 'token-bucket'
  /** Admit an operation while any budget is left, even when it costs more. Default: true. */
  readonly overdraw?: boolean
  /** Whether a deficit is carried to the next second; a token bucket always carries it. Default: `forgiven`. */
  readonly debt?: 'forgiven' | 'carried'
  /** Default: `window`, the rest of the second. */
  readonly retryAfter?: RetryAfterPolicy
  /** Whether a throttled bulk answers 207 with a 429 per operation, or 429 as a whole. Default: `operation`. */
  readonly bulk?: 'operation' | 'request'
  /** RU/s of the account for metadata requests; 0 is no limit. Default: 240. */
  readonly metadataRuPerSecond?: number
  /** Ranges below 3,000 RU/s save up to 300 s of idle RU and spend them at 3,000 RU/s. Default: false. */
  readonly burst?: boolean
  /** Refuse requests of low priority while less than a third of a range's second is left. Default: false. */
  readonly priority?: boolean
  /** Throughput buckets: percent of a range's RU/s by bucket id, 1 to 5. Default: none. */
  readonly buckets?: Readonly<Record<number, number>>
}

/** The throughput of each physical partition of a container. */
export interface ThroughputDistribution {
  readonly throughputPolicy: ThroughputPolicy
  /** RU/s of the container, or the maximum of autoscale. */
  readonly throughput: number
  readonly physicalPartitionThroughputInfo: readonly PhysicalPartitionThroughput[]
}

/** Whether the ranges of a container have equal shares of its throughput, or RU/s of their own. */
export type ThroughputPolicy = 'equal' | 'custom'

/** The `resource` of the call `redistributeThroughput` of Azure Resource Manager. */
export interface ThroughputRedistribution {
  readonly throughputPolicy: ThroughputPolicy
  /** Ranges that get another throughput. */
  readonly targetPhysicalPartitionThroughputInfo?: readonly PhysicalPartitionThroughput[]
  /** Ranges that give throughput: a given number, else equal parts of what the targets gain. */
  readonly sourcePhysicalPartitionThroughputInfo?: readonly {
    readonly id: string
    readonly throughput?: number
  }[]
}

/** Throughput of a container. */
export interface ThroughputReport {
  readonly mode: 'manual' | 'autoscale'
  /** Provisioned RU/s, or the maximum of autoscale. */
  readonly ruPerSecond: number
  /** Whether the database's containers share it. */
  readonly isShared: boolean
  /**
   * RU/s that autoscale would bill for the last two minutes: the maximum times the highest use of a range's share, and
   * at least a tenth of the maximum.
   */
  readonly scaledToRuPerSecond: number
}

/** Usage of a range in one second. */
export interface UsageSecond {
  second: number
  usedRu: number
  refusedRu: number
  operations: number
  throttledOperations: number
  throttledRequests: number
}

/** The public account key of Microsoft's emulators. */
export declare const WELL_KNOWN_KEY =
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

/**
 * Runs the command line of the emulator and resolves with its exit code: 0, 1 after a failure, 2 after a usage error.
 */
export declare function runCommand(args: readonly string[], dependencies: CommandDependencies): Promise<0 | 1 | 2>

/** Starts a local Cosmos DB; it is ready when the promise resolves. */
export declare function startEmulator(options?: EmulatorOptions): Promise<Emulator>

/** Starts an emulator in another process, so that it does not share a core with its clients. */
export declare function startEmulatorProcess(options?: ProcessOptions): Promise<EmulatorProcess>

// Not exported; the declarations above refer to it.

/** Type of an operation on one item, alone or in a bulk or batch request. */
type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Read' | 'Delete' | 'Patch'

/** Options that can be passed to another process. */
type ProcessOptions = Omit<EmulatorOptions, 'log' | 'warn' | 'now' | 'random'>

export {}
