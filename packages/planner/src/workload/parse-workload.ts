import { KeystampError } from '@keystamp/core'
import { Mistakes } from '@keystamp/core/internal'
import { findContradictions } from './contradictions.ts'
import {
  parseField,
  parseQuery,
  parseRange,
  type QueryFilters,
  readFilters,
  type SqlFilters,
  type SqlReader,
  toLoad,
  withLengths
} from './parse-query.ts'
import {
  parseBytes,
  parseCount,
  parseDuration,
  parseGrowth,
  parsePercent,
  parseRate,
  type Reading
} from './quantity.ts'
import type { QueryLoad, Workload, WriteLoad } from './workload.ts'

/** Mistake of a workload. */
export interface WorkloadMistake {
  /** JSON pointer into the workload, or the name of the option; empty for the workload itself. */
  readonly path: string
  readonly message: string
}

/** Error for an invalid workload, with all its mistakes. */
export class WorkloadError extends KeystampError {
  readonly mistakes: readonly WorkloadMistake[]

  constructor(mistakes: readonly WorkloadMistake[]) {
    const lines = mistakes.map(({ path, message }) => `  ${path === '' ? 'the workload' : path} ${message}`)
    super(
      'OPTION_INVALID',
      `The workload has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`
    )
    this.name = 'WorkloadError'
    this.mistakes = mistakes
  }
}

export interface WorkloadOptions {
  /** Reads queries in SQL. Without it, a query in SQL is a mistake. */
  readonly readSql?: SqlReader | undefined
  /** Returns the name of a property for messages, such as `--writes` for `/writes/rate`. Default: the JSON pointer. */
  readonly nameOf?: ((pointer: string) => string) | undefined
}

/** Properties of a workload file. */
const PROPERTIES = [
  '$schema',
  'items',
  'itemSize',
  'totalSize',
  'growth',
  'ttl',
  'writes',
  'timeField',
  'queries',
  'pointReads',
  'transactions',
  'changing',
  'consistency',
  'regions',
  'multiRegionWrites',
  'meanUtilization',
  'presentKey'
]
const WRITE_PROPERTIES = ['rate', 'mean', 'operation', 'indexedValues', 'changedValues', 'existing']
const QUERY_PROPERTIES = ['name', 'sql', 'equal', 'between', 'id', 'rows', 'rate']
const RANGE_PROPERTIES = ['field', 'length']

const OPERATIONS = ['create', 'upsert', 'replace', 'patch', 'delete'] as const
const CONSISTENCIES = ['eventual', 'consistentPrefix', 'session', 'boundedStaleness', 'strong'] as const
const MAX_ENTRIES = 1000
const MAX_REGIONS = 60

/** Reads a workload from an object with strings such as `5000/s`. Throws a WorkloadError that names every mistake. */
export function parseWorkload(value: unknown, { readSql, nameOf = String }: WorkloadOptions = {}): Workload {
  const mistakes = new Mistakes()
  const json = mistakes.object(value, '', PROPERTIES)
  const workload = json === undefined ? undefined : new WorkloadReader(mistakes, readSql).read(json)
  if (workload !== undefined && mistakes.found.length === 0) {
    for (const { property, message } of findContradictions(workload)) mistakes.add(`/${property}`, message)
  }
  if (workload === undefined || mistakes.found.length > 0)
    throw new WorkloadError(mistakes.found.map(({ path, message }) => ({ path: nameOf(path), message })))
  return workload
}

type Json = Readonly<Record<string, unknown>>

/** Reads the properties of a workload, and collects mistakes. */
class WorkloadReader {
  readonly #mistakes: Mistakes
  readonly #readSql: SqlReader | undefined

  constructor(mistakes: Mistakes, readSql: SqlReader | undefined) {
    this.#mistakes = mistakes
    this.#readSql = readSql
  }

  read(json: Json): Workload {
    const writes = this.#writes(json['writes'])
    return {
      items: this.#quantity(json, 'items', parseCount),
      itemBytes: this.#positive(json, 'itemSize', parseBytes),
      totalBytes: this.#quantity(json, 'totalSize', parseBytes),
      growthBytesPerDay: this.#quantity(json, 'growth', parseGrowth),
      ttlSeconds: json['ttl'] === 'never' ? 'never' : this.#positive(json, 'ttl', parseDuration),
      writes: writes?.load,
      timeField: json['timeField'] === undefined ? undefined : this.#field(json['timeField'], '/timeField'),
      queries: this.#list(json, 'queries').map((query, index) => this.#query(query, `/queries/${index}`)),
      pointReadsPerSecond: this.#quantity(json, 'pointReads', parseRate),
      transactions: this.#fields(json, 'transactions'),
      changingFields: this.#fields(json, 'changing'),
      consistency: this.#mistakes.oneOf(json['consistency'], '/consistency', CONSISTENCIES, 'session'),
      regions:
        json['regions'] === undefined ? 1 : (this.#mistakes.integer(json['regions'], '/regions', 1, MAX_REGIONS) ?? 1),
      multiRegionWrites: this.#mistakes.boolean(json['multiRegionWrites'], '/multiRegionWrites'),
      meanUtilization: this.#meanUtilization(json, writes?.meanShare),
      presentKey: this.#presentKey(json['presentKey'])
    }
  }

  #quantity(json: Json, name: string, parse: (value: unknown) => Reading, path = `/${name}`): number | undefined {
    return json[name] === undefined ? undefined : this.#take(parse(json[name]), path)
  }

  #positive(json: Json, name: string, parse: (value: unknown) => Reading): number | undefined {
    const value = this.#quantity(json, name, parse)
    return value === 0 ? this.#mistakes.add(`/${name}`, 'must be above 0') : value
  }

  #take<T>(reading: Reading<T>, path: string): T | undefined {
    return reading.ok ? reading.value : this.#mistakes.add(path, reading.reason)
  }

  #writes(value: unknown): { readonly load: WriteLoad; readonly meanShare: number | undefined } | undefined {
    if (value === undefined) return undefined
    const isObject = typeof value === 'object' && value !== null
    const json = isObject ? this.#mistakes.object(value, '/writes', WRITE_PROPERTIES) : { rate: value }
    if (json === undefined) return undefined
    const at = isObject ? '/writes/rate' : '/writes'
    const rate = this.#take(parseRate(json['rate']), at)
    const perSecond = rate ?? 0
    const mean = this.#quantity(json, 'mean', parseRate, '/writes/mean')
    if (mean !== undefined && rate !== undefined && mean > rate)
      this.#mistakes.add('/writes/mean', 'is above the peak, which is the rate')
    return {
      load: {
        perSecond,
        operation: this.#mistakes.oneOf(json['operation'], '/writes/operation', OPERATIONS, 'upsert'),
        indexedValues: this.#quantity(json, 'indexedValues', parseCount, '/writes/indexedValues'),
        changedValues: this.#quantity(json, 'changedValues', parseCount, '/writes/changedValues'),
        existingShare: this.#quantity(json, 'existing', parsePercent, '/writes/existing')
      },
      meanShare: mean === undefined || perSecond === 0 ? undefined : mean / perSecond
    }
  }

  #meanUtilization(json: Json, meanShare: number | undefined): number | undefined {
    const given = this.#quantity(json, 'meanUtilization', parsePercent)
    if (given !== undefined && meanShare !== undefined && Math.abs(given - meanShare) > 0.05)
      this.#mistakes.add('/meanUtilization', 'contradicts the mean of the writes; give one of them')
    return given ?? meanShare
  }

  #query(value: unknown, path: string): QueryLoad {
    if (typeof value === 'string') return this.#take(parseQuery(value, this.#readSql), path) ?? NO_QUERY
    const json = this.#mistakes.object(value, path, QUERY_PROPERTIES)
    if (json === undefined) return NO_QUERY
    const perSecond = this.#take(parseRate(json['rate']), `${path}/rate`) ?? 0
    const rows = this.#quantity(json, 'rows', parseCount, `${path}/rows`)
    const filters: SqlFilters = this.#filters(json, path)
    const sql = typeof json['sql'] === 'string' ? json['sql'] : undefined
    const name = json['name'] === undefined ? undefined : this.#mistakes.string(json['name'], `${path}/name`)
    return toLoad(name ?? sql ?? nameOfFilters(filters), perSecond, rows, filters)
  }

  #filters(json: Json, path: string): SqlFilters {
    const between = this.#list(json, 'between', path).map((each, index) =>
      this.#range(each, `${path}/between/${index}`)
    )
    if (json['sql'] !== undefined) return this.#sqlFilters(json, between, path)
    const equal = this.#fields(json, 'equal', path)
    const byId = this.#mistakes.boolean(json['id'], `${path}/id`) || equal.includes('/id')
    return { equal: byId && !equal.includes('/id') ? [...equal, '/id'] : equal, between, byId }
  }

  #sqlFilters(json: Json, lengths: QueryFilters['between'], path: string): SqlFilters {
    for (const name of ['equal', 'id']) {
      if (json[name] !== undefined)
        this.#mistakes.add(`${path}/${name}`, 'cannot be combined with sql, which has the filters')
    }
    const sql = this.#mistakes.string(json['sql'], `${path}/sql`)
    if (sql === undefined) return NO_QUERY
    const { filters, reasons } = readFilters(sql, this.#readSql)
    for (const reason of reasons) this.#mistakes.add(`${path}/sql`, `cannot be read: ${reason}`)
    const completed = withLengths(filters, lengths)
    if (reasons.length === 0)
      for (const reason of completed.reasons) this.#mistakes.add(`${path}/between`, `is not in sql: ${reason}`)
    return completed.filters
  }

  #range(value: unknown, path: string): QueryLoad['between'][number] {
    if (typeof value === 'string') return { field: this.#field(value, path) }
    const json = this.#mistakes.object(value, path, RANGE_PROPERTIES)
    if (json === undefined) return { field: '' }
    const field = this.#field(json['field'], `${path}/field`)
    const { length } = json
    if (length === undefined) return { field }
    const seconds = this.#take(
      typeof length === 'string' ? parseRange(length) : parseDuration(length),
      `${path}/length`
    )
    return seconds === undefined ? { field } : { field, seconds }
  }

  #presentKey(value: unknown): readonly string[] | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'string') return [this.#field(value, '/presentKey')]
    const list = this.#mistakes.list(value, '/presentKey', 1, 3) ?? []
    return list.map((each, index) => this.#field(each, `/presentKey/${index}`))
  }

  #fields(json: Json, name: string, at = ''): readonly string[] {
    const fields = this.#list(json, name, at).map((each, index) => this.#field(each, `${at}/${name}/${index}`))
    return [...new Set(fields)]
  }

  #list(json: Json, name: string, at = ''): readonly unknown[] {
    return json[name] === undefined ? [] : (this.#mistakes.list(json[name], `${at}/${name}`, 0, MAX_ENTRIES) ?? [])
  }

  #field(value: unknown, path: string): string {
    const field = typeof value === 'string' ? parseField(value) : undefined
    if (field !== undefined) return field
    this.#mistakes.add(path, 'must be a field such as deviceId, vehicle.vin or /vehicle/vin')
    return ''
  }
}

const NO_QUERY: QueryLoad = { name: '', perSecond: 0, equal: [], between: [], byId: false, rows: 0 }

function nameOfFilters({ equal, between }: QueryFilters): string {
  const names = [...equal, ...between.map(({ field }) => `${field} between`)]
  return names.length === 0 ? 'all documents' : names.join(', ')
}
