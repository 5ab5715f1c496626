// API report of @keystamp/emulator, made by npm run docs. A change here is a change of the public API.

/** A rule in force. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that matched. */
  matched: number
  /** Requests that were struck. */
  struck: number
}

/** One write that was applied, in the order of `sequence`. */
export interface AppliedWrite {
  readonly sequence: number
  readonly database: string
  readonly container: string
  /** The partition key as a JSON array; `{}` in it is an absent value. */
  readonly partitionKey: string
  readonly id: string
  readonly operation: OperationType
  readonly range: string
  readonly lsn: number
  readonly etag: string | undefined
  readonly activityId: string
  readonly atMs: number
}

/** What the command needs of its process. */
export interface CommandSurroundings {
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
  /** Receives a line for each request, where they are asked for. */
  readonly log: (line: string) => void
  /** How the command is called. */
  readonly called: string
  readonly waitForEnd: () => Promise<unknown>
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
  /** The partition keys that were charged most, hottest first. */
  readonly hottestKeys: readonly {
    readonly partitionKey: string
    readonly chargedRu: number
  }[]
}

/** What tests do to an emulator: by these functions, or over HTTP under `/_control`. */
export interface Control {
  readonly faults: {
    /** Puts a fault in force; the id ends it. */
    readonly inject: (rule: FaultRule) => string
    /** Ends one fault, or all. */
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
  /** Merges a range with its upper neighbour; resolves with the id of the child. */
  readonly merge: (database: string, container: string, rangeId: string, options?: MoveOptions) => Promise<string[]>
  /** Lets splits and merges that were told to hold go on. */
  readonly completeMoves: (database: string, container: string) => void
  /** What each range was given, used and refused. */
  readonly report: () => EmulatorReport
  /** The applied writes that match, oldest first. */
  readonly operations: (filter?: OperationFilter) => AppliedWrite[]
  readonly clearOperations: () => void
  /** Turns throttling on, off, or over. */
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
  /** Endpoint and key in one text, as the portal shows it. */
  readonly connectionString: string
  /** The certificate as PEM, when it serves https: for trust stores. */
  readonly certificate: string | undefined
  /** What the control path asks for, when it asks for a token. */
  readonly controlToken: string | undefined
  /** Closes all connections and forgets everything. */
  readonly stop: () => Promise<void>
}

/** How an emulator is started. */
export interface EmulatorOptions {
  /** Default: 0, a free port. */
  readonly port?: number
  /** Address to listen on. Default: 127.0.0.1. Any other than a loopback makes the control path ask for a token. */
  readonly host?: string
  /** Serve TLS with a certificate made at the start. Default: false. */
  readonly https?: boolean
  /** Host names and addresses, beside the loopback's, that the certificate is good for. */
  readonly certificateNames?: readonly string[]
  /** The account key, base64. Default: the well-known key of Microsoft's emulators. */
  readonly key?: string
  /** Physical partitions of a new container. Default: what its throughput asks for. */
  readonly ranges?: number
  /** Containers to begin with, and their databases: `fleet/drives:/partitionKey`; the paths of a hierarchical key with commas between. Default: none. */
  readonly containers?: readonly string[]
  /** Throughput of a container that names none and whose database has none, in RU/s. Default: 400. */
  readonly ruPerSecond?: number
  /** Refuse what a range cannot pay. Default: false. */
  readonly throttle?: boolean | ThrottleOptions
  /** Time that every answer takes at least. Default: 0. */
  readonly latencyMs?: number
  /** `off` accepts every request. Default: `hmac`. */
  readonly auth?: 'hmac' | 'off'
  /** Accept Entra-like tokens: `data` for what a data-plane role may do (true means this), `all` for everything. Default: false. */
  readonly acceptAad?: boolean | 'data' | 'all'
  /** What the control path asks for in `authorization: Bearer`. Default: none on a loopback, a random one elsewhere. */
  readonly controlToken?: string
  /** How many applied writes the operation log keeps; 0 keeps none. Default: 100,000. */
  readonly operationLog?: number
  /** Largest logical partition. Default: 20 GB. */
  readonly maxLogicalPartitionBytes?: number
  /** A range that grows beyond this is split. Default: 50 GB. */
  readonly splitAtBytes?: number
  /** How long the two phases of an automatic split or merge last each. Default: 0. */
  readonly moveMs?: number
  /**
   * `plan` refuses cross-partition queries with TOP, ORDER BY, DISTINCT, OFFSET LIMIT or aggregates, as the gateway does: clients run their own
   * plan. `serve` answers them. Default: `plan`.
   */
  readonly crossPartition?: 'serve' | 'plan'
  /** Consistency of the account. Default: Session. */
  readonly consistency?: ConsistencyLevel
  /** Receives one line of text for each request. Default: none. */
  readonly log?: (line: string) => void
  /** Milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: () => number
  /** For probabilities of faults and retry-after policies. Default: Math.random. */
  readonly random?: () => number
}

/** An emulator in a process of its own; its control is reached over HTTP. */
export interface EmulatorProcess {
  readonly endpoint: string
  readonly key: string
  readonly certificate: string | undefined
  readonly controlToken: string | undefined
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** What the containers were given, used and refused. */
export interface EmulatorReport {
  readonly atMs: number
  readonly isThrottling: boolean
  readonly containers: readonly ContainerReport[]
}

/** What a fault does. */
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

/** A fault on demand: which requests it strikes, how often, and what it does. */
export interface FaultRule {
  /** A kind of request, a group of them, or `bulkOperation` for single operations of bulk requests. Default: `any`. */
  readonly on?: string | readonly string[]
  /** For `bulkOperation`: `Create`, `Upsert`, `Replace`, `Read`, `Delete` or `Patch`. */
  readonly operationType?: string
  readonly database?: string
  readonly container?: string
  /** Id of the range that serves the request. */
  readonly range?: string
  /** Id of the item. */
  readonly id?: string
  /** Partition key as JSON array text, such as `["a"]`. */
  readonly partitionKey?: string
  /** Let this many matching requests pass first. Default: 0. */
  readonly after?: number
  /** Strike at most this often. Default: always. */
  readonly count?: number
  /** Strike with this probability. Default: 1. */
  readonly probability?: number
  readonly action: FaultAction
}

/** An error that a fault answers with. */
export interface FaultStatus {
  readonly status: number
  readonly subStatus?: number
  readonly retryAfterMs?: number
  readonly message?: string
}

/** How a split or a merge goes. */
export interface MoveOptions {
  /** How long the parents are listed but answer 410/1007. Default: the emulator's `moveMs`. */
  readonly lockMs?: number
  /** Stay in that phase until `completeMoves`. Default: false. */
  readonly hold?: boolean
}

/** Which applied writes are wanted; `partitionKey` is JSON array text such as `["a"]`. */
export type OperationFilter = Partial<Pick<AppliedWrite, 'database' | 'container' | 'partitionKey' | 'id' | 'range'>>

/** One range of a report; the totals are since the range exists. */
export interface RangeReport {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
  readonly phase: string
  readonly parents: readonly string[]
  readonly items: number
  readonly bytes: number
  readonly lsn: number
  /** RU that the range may spend in a second. */
  readonly givenRuPerSecond: number
  readonly usedRu: number
  readonly refusedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledRequests: number
  /** The last two minutes; seconds without a request are left out. */
  readonly seconds: readonly ReportedSecond[]
}

/** One second of a range, and the share of its budget that was used: above 1 it was overdrawn. */
export interface ReportedSecond extends UsageSecond {
  readonly usedShare: number
}

/** How long a throttled client is told to wait. */
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

/** How a range's second is counted, and what a refused client is told. */
export interface ThrottleOptions {
  /** `tumbling`: the budget is whole again at each second of the clock. `token-bucket`: it flows back evenly. Default: `tumbling`. */
  readonly window?: 'tumbling' | 'token-bucket'
  /** Admit an operation while any budget is left, even when it costs more. Default: true. */
  readonly overdraw?: boolean
  /** What an overdrawn second leaves to the next one; a token bucket always carries it. Default: `forgiven`. */
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
  /** Throughput buckets: per cent of a range's RU/s by bucket id, 1 to 5. Default: none. */
  readonly buckets?: Readonly<Record<number, number>>
}

/** What a container may spend. */
export interface ThroughputReport {
  readonly mode: 'manual' | 'autoscale'
  /** RU/s bought, or the maximum of the autoscale. */
  readonly ruPerSecond: number
  /** Whether the database's containers share it. */
  readonly isShared: boolean
  /** What an autoscale would have to be billed for the last two minutes: its busiest range sets it for all, and a tenth is the least. */
  readonly scaledToRuPerSecond: number
}

/** What one second of a range came to. */
export interface UsageSecond {
  second: number
  usedRu: number
  refusedRu: number
  operations: number
  throttledOperations: number
  throttledRequests: number
}

/** The key that Microsoft's emulators use; it is public. */
export declare const WELL_KNOWN_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

/** Runs the command line of the emulator and resolves with its exit code: 0, 2 for what it was asked for and cannot be, or 1 where it failed. */
export declare function runCommand(args: readonly string[], surroundings: CommandSurroundings): Promise<0 | 1 | 2>

/** Starts a local Cosmos DB; it is ready when the promise resolves. */
export declare function startEmulator(options?: EmulatorOptions): Promise<Emulator>

/** Starts an emulator in another process, so that it does not share a core with what it is to serve. */
export declare function startEmulatorProcess(options?: ProcessOptions): Promise<EmulatorProcess>

// Not exported; the declarations above refer to it.

/** What can be done to one item, alone or inside a bulk or a batch. */
type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Read' | 'Delete' | 'Patch'

/** Options that can be handed to another process. */
type ProcessOptions = Omit<EmulatorOptions, 'log' | 'now' | 'random'>

export {}
