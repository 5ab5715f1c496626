import type { Readable } from 'node:stream'
import { KeystampError, type Plan } from '@keystamp/core'
import { checkOptionNames } from '@keystamp/core/internal'
import {
  type AccountOptions,
  parseConnectionString,
  type Share,
  type WriterOptions,
  type WriteStrategy
} from '@keystamp/cosmos'
import type { InputForm, Resumption } from '@keystamp/files'
import { describeInputs, formOf, type InputFile, type ReadFormat } from '@keystamp/files/internal'
import type { LoadProgress } from './progress-meter.ts'
import { createIdConverter, createIdMaker, type IdSource, inputId } from './record-id.ts'
import { checkMaxRejected, type MaxRejected, type RejectOptions } from './rejected-records.ts'
import type { IdSources } from './shape-record.ts'
import type { LoadCounts } from './write-records.ts'

/** Options of `load`: the container, the inputs, and how to write them. */
export interface LoadOptions extends AccountOptions {
  /**
   * Paths of files, or `-` for standard input. Files that end in .gz or .zst are decompressed. `findInputs` of
   * `@keystamp/files` expands globs.
   */
  readonly inputs: readonly string[]
  /**
   * Makes the key of each record, and the id if the plan defines one. Default: each record contains the key and the id
   * as the container needs them.
   */
  readonly plan?: Plan | undefined
  /** Path of the plan's file, if it has one: neither the checkpoint nor the file of rejected records may replace it. */
  readonly planPath?: string | undefined
  /**
   * `overwrite` replaces documents, `append` keeps them; `overwriteIfNotModified`, `delete` and `deleteIfNotModified`
   * work as in `operationFor`. Default: `overwrite`.
   */
  readonly strategy?: WriteStrategy
  /**
   * Source of ids for records without one: `field:/name`, `hash` or `position`; `field:/id` converts numeric ids.
   * Default: such a record is rejected.
   */
  readonly id?: IdSource | undefined
  /**
   * `debezium`: the records are change data of Debezium in JSON. The row after a change is stored, and a delete removes
   * the document of the row before it. Default: each record is a document.
   */
  readonly changeData?: 'debezium' | undefined
  /** Format of all inputs. Default: `csv` for names that end in .csv, .csv.gz or .csv.zst, otherwise `lines`. */
  readonly form?: InputForm | undefined
  /** With CSV: the delimiter, one character or "tab". Default: a comma. */
  readonly delimiter?: string | undefined
  /** With `form: "array"`: path of the array inside a larger document, such as `a.b`. */
  readonly pick?: string | undefined
  /** Maximum length of a record, in bytes; a longer record is rejected. Default: 8 MiB. */
  readonly maxRecordBytes?: number
  /** RU/s that the load may use, or a percentage of the provisioned throughput. Default: `100%`. */
  readonly share?: Share
  /** Redis through which this process shares the budget with other processes. */
  readonly sharedThrough?: WriterOptions['sharedThrough']
  /**
   * File in which the load stores its progress each second; `false`: no file. Default: the name of the first input with
   * `.checkpoint` appended; no file for standard input.
   */
  readonly checkpoint?: string | false | undefined
  /**
   * `throw` stops at the first rejected record; `skip` counts rejected records; `collect` counts them and writes them
   * to a new file. Default: `throw`.
   */
  readonly onError?: 'throw' | 'skip' | { readonly collect: string }
  /**
   * Number of rejected records that is still allowed; one more stops the load. A number, or a percentage of the records
   * read. Default: no limit.
   */
  readonly maxRejected?: MaxRejected | undefined
  /** Accepts a plan with random suffixes. With such a plan, a resumed load may store a record twice. Default: false. */
  readonly allowDuplicates?: boolean
  /** Stream for the input `-`. Default: standard input of the process. */
  readonly stdin?: Readable
  /** Ends the load early, after it has stored its checkpoint. */
  readonly signal?: AbortSignal
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Milliseconds between two calls of `onProgress`. Default: 1000. */
  readonly progressEveryMs?: number | undefined
  /** Called once if the load resumes, with the position of the checkpoint. */
  readonly onResumed?: ((resumption: Resumption) => void) | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Called once at the end, even if the load fails after it has opened the container. */
  readonly onEnd?: ((summary: LoadSummary) => void) | undefined
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/** Outcome of a load. */
export interface LoadSummary extends Readonly<LoadCounts> {
  /** True if every record has its outcome; false if the signal ended the load or the load failed. */
  readonly isComplete: boolean
  /** True if the load began at the position of a checkpoint. */
  readonly isResumed: boolean
  /** Number of rejected records by code. */
  readonly rejectedByCode: Readonly<Record<string, number>>
  /** With `onError: "skip"`: input, line and reason of the first skipped record. */
  readonly firstSkipped: string | undefined
  readonly chargedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly seconds: number
  /** Path of the checkpoint from which the same load resumes; undefined if there is no checkpoint. */
  readonly checkpoint: string | undefined
  /** Error that stopped the load, which `load` also throws. */
  readonly error: Error | undefined
}

/** The checked options of a load, with their defaults. */
export interface PreparedLoad extends Required<Pick<LoadOptions, 'strategy' | 'share' | 'stdin' | 'signal' | 'now'>> {
  readonly plan: Plan | undefined
  readonly changeData: 'debezium' | undefined
  readonly ids: IdSources
  readonly rejects: RejectOptions
  readonly format: ReadFormat
  readonly inputs: readonly InputFile[]
  /** `<endpoint>/<database>/<container>`. */
  readonly target: string
}

/** Checks options and inputs, without a request. Throws OPTION_INVALID or INPUT_UNREADABLE. */
export async function prepareLoad(options: LoadOptions): Promise<PreparedLoad> {
  checkOptionNames(options, [...ACCOUNT_OPTIONS, ...LOAD_OPTIONS])
  const {
    inputs,
    plan,
    id,
    strategy = 'overwrite',
    share = '100%',
    onError = 'throw',
    maxRejected,
    allowDuplicates,
    changeData
  } = options
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw invalid('`inputs` must be an array that names at least one file.')
  const ids = { make: createIdMaker(id), convert: createIdConverter(id) }
  if (allowDuplicates !== true && plan?.warnings.some(({ code }) => code === 'RANDOM_SUFFIX') === true) {
    throw invalid(
      'The plan makes random suffixes: a resumed load would store records a second time, under other keys. ' +
        'Compute the suffix from a field, or set `allowDuplicates`.'
    )
  }
  if (id === 'position' && new Set(inputs.map(inputId)).size < inputs.length) {
    throw invalid(
      'Two inputs would make the same ids with `position`: their names differ only in characters that an id cannot contain.'
    )
  }
  checkChangeData(options)
  if (!STRATEGIES.includes(strategy))
    throw invalid(`\`strategy\` must be one of ${STRATEGIES.join(', ')}, not "${strategy}".`)
  if (onError !== 'throw' && onError !== 'skip' && typeof onError?.collect !== 'string') {
    throw invalid('`onError` must be "throw", "skip" or { collect: a path }.')
  }
  checkMaxRejected(maxRejected)
  return {
    plan,
    changeData,
    ids,
    strategy,
    share,
    rejects: { onError, maxRejected },
    format: formatOf(options),
    inputs: await describeInputs(inputs),
    target: targetOf(options),
    stdin: options.stdin ?? process.stdin,
    signal: options.signal ?? new AbortController().signal,
    now: options.now ?? (() => performance.now())
  }
}

/**
 * Returns the options for a writer and for `openAccount`. Metadata is read without the SDK, because importing the SDK
 * takes long and a load is short.
 */
export function accountOptionsOf(options: AccountOptions): AccountOptions {
  const entries = Object.entries(options).filter(([name]) => (ACCOUNT_OPTIONS as readonly string[]).includes(name))
  return { metadataBy: 'direct', ...(Object.fromEntries(entries) as unknown as AccountOptions) }
}

const ACCOUNT_OPTIONS: readonly (keyof AccountOptions)[] = [
  'connectionString',
  'endpoint',
  'key',
  'credential',
  'database',
  'container',
  'preferredRegions',
  'agent',
  'metadataTimeoutMs',
  'metadataBy'
]

const LOAD_OPTIONS: readonly Exclude<keyof LoadOptions, keyof AccountOptions>[] = [
  'inputs',
  'plan',
  'planPath',
  'strategy',
  'id',
  'changeData',
  'form',
  'delimiter',
  'pick',
  'maxRecordBytes',
  'share',
  'sharedThrough',
  'checkpoint',
  'onError',
  'maxRejected',
  'allowDuplicates',
  'stdin',
  'signal',
  'onProgress',
  'progressEveryMs',
  'onResumed',
  'onWarning',
  'onEnd',
  'now'
]

const STRATEGIES: readonly WriteStrategy[] = [
  'overwrite',
  'append',
  'overwriteIfNotModified',
  'delete',
  'deleteIfNotModified'
]

function checkChangeData({ inputs, form, changeData, id }: LoadOptions): void {
  if (changeData === undefined) return
  if (changeData !== 'debezium') throw invalid('`changeData` must be "debezium".')
  if (inputs.some((name) => formOf(name, { form }) === 'csv'))
    throw invalid('`changeData` needs JSON: CSV has no envelopes.')
  if (id === 'hash' || id === 'position')
    throw invalid(
      `With \`changeData\`, ids cannot be made by \`${id}\`: a delete has another id then than the document.`
    )
}

// Cosmos DB itself stores up to 2 MB
const DEFAULT_MAX_RECORD_BYTES = 8 << 20

function formatOf({
  inputs,
  form,
  pick,
  delimiter,
  maxRecordBytes = DEFAULT_MAX_RECORD_BYTES
}: LoadOptions): ReadFormat {
  if (delimiter !== undefined && !inputs.some((name) => formOf(name, { form }) === 'csv')) {
    throw invalid('`delimiter` needs CSV: `form: "csv"`, or names that end in .csv.')
  }
  if (pick !== undefined && form !== 'array') throw invalid('`pick` needs `form: "array"`.')
  return { form, pick, delimiter, maxRecordBytes }
}

function targetOf({ connectionString, endpoint, database, container }: LoadOptions): string {
  const address = connectionString === undefined ? endpoint : parseConnectionString(connectionString).endpoint
  if (address === undefined || !URL.canParse(address))
    throw invalid('`endpoint` must be the address of an account, such as https://my-account.documents.azure.com/.')
  return `${new URL(address).origin}/${database}/${container}`
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
