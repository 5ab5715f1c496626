import { readFile } from 'node:fs/promises'
import { systemReason } from '@keystamp/core/internal'
import { parsePercent, parseWorkload, type Workload } from '@keystamp/planner'
import { UsageError } from '../exit-codes.ts'
import type { FormOptions } from '../shared-options.ts'
import { readSql } from './read-sql.ts'

/** Options of `keystamp plan`. */
export interface PlanCommandOptions extends FormOptions {
  readonly workload?: string
  readonly writes?: string
  readonly operation?: string
  readonly items?: string
  readonly total?: string
  readonly size?: string
  readonly ttl?: string
  readonly growth?: string
  readonly time?: string
  readonly query: readonly string[]
  readonly logExport?: readonly string[]
  readonly pointReads?: string
  readonly transaction: readonly string[]
  readonly changes: readonly string[]
  readonly presentKey?: string
  readonly field: readonly string[]
  readonly sample?: string
  readonly fromContainer?: string
  readonly readLimit?: string
  readonly fromTopic?: string
  readonly since?: string
  readonly registry?: string
  readonly seed?: string
  readonly write?: string
  readonly check?: string
  readonly minUsable?: string
  readonly compare: readonly string[]
  readonly measure?: boolean
  readonly measureSeconds?: string
  readonly showValues?: boolean
  readonly json?: boolean
  readonly html?: string
  readonly report?: string
  readonly quiet?: boolean
}

/** Names of the options that set a property of the workload, for messages. */
const FLAGS: Readonly<Record<string, string>> = {
  writes: '--writes',
  items: '--items',
  totalSize: '--total',
  itemSize: '--size',
  ttl: '--ttl',
  growth: '--growth',
  timeField: '--time',
  queries: '--query',
  pointReads: '--point-reads',
  transactions: '--transaction',
  changing: '--changes',
  presentKey: '--present-key'
}

/**
 * Reads the workload from a file and from options. An option overrides the value in the file. `logged`: queries of a
 * log export, in addition.
 */
export async function readWorkload(options: PlanCommandOptions, logged: readonly string[] = []): Promise<Workload> {
  const ofFile = options.workload === undefined ? {} : await readWorkloadFile(options.workload)
  const ofOptions = withoutMissing({
    writes: writesOf(options, ofFile),
    items: options.items,
    totalSize: options.total,
    itemSize: options.size,
    ttl: options.ttl,
    growth: options.growth,
    timeField: options.time,
    queries: queriesOf(options, ofFile, logged),
    pointReads: options.pointReads,
    transactions: nonEmpty(options.transaction),
    changing: nonEmpty(options.changes),
    presentKey: options.presentKey?.split(',').map((path) => path.trim())
  })
  const nameOf = (pointer: string): string => {
    const [, property = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(pointer) ?? []
    return property in ofOptions ? `${FLAGS[property] ?? property}${rest}` : pointer
  }
  return parseWorkload({ ...ofFile, ...ofOptions }, { nameOf, readSql })
}

/** Queries of the options; without any, those of the file; and those of a log export in any case. */
function queriesOf(
  { query }: PlanCommandOptions,
  { queries: ofFile }: Readonly<Record<string, unknown>>,
  logged: readonly string[]
): unknown {
  if (logged.length === 0) return nonEmpty(query)
  const stated: readonly unknown[] = query.length > 0 ? query : Array.isArray(ofFile) ? ofFile : []
  return [...stated, ...logged]
}

function writesOf(
  { writes, operation }: PlanCommandOptions,
  { writes: ofFile }: Readonly<Record<string, unknown>>
): unknown {
  if (operation === undefined) return writes
  if (writes === undefined && ofFile === undefined)
    throw new UsageError('--operation needs --writes, such as --writes 5000/s.')
  const others = typeof ofFile === 'object' && ofFile !== null ? ofFile : { rate: ofFile }
  return { ...others, ...(writes === undefined ? {} : { rate: writes }), operation }
}

async function readWorkloadFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The workload ${path} cannot be read: ${systemReason(error)}.`)
  }
  // most command lines name no file
  const { parse } = await import('yaml')
  let workload: unknown
  try {
    workload = parse(text)
  } catch (error) {
    throw new UsageError(`The workload ${path} is not valid YAML: ${(error as Error).message}`)
  }
  if (typeof workload !== 'object' || workload === null || Array.isArray(workload))
    throw new UsageError(
      `The workload ${path} ${workload === null ? 'is empty' : 'is not an object'}: write properties into it, such as writes: 5000/s.`
    )
  return workload as Readonly<Record<string, unknown>>
}

function nonEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list
}

function withoutMissing(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined))
}

/** Share of the RU/s that `--check` requires. */
export function minUsableOf({ minUsable }: PlanCommandOptions): number {
  if (minUsable === undefined) return 0.9
  const share = parsePercent(/^0?\.\d+$|^1(\.0+)?$/.test(minUsable) ? Number(minUsable) : minUsable)
  if (!share.ok) throw new UsageError(`--min-usable ${share.reason}.`)
  return share.value
}

const DEFAULT_SEED = 1

export function seedOf({ seed }: PlanCommandOptions): number {
  if (seed === undefined) return DEFAULT_SEED
  if (!/^\d{1,9}$/.test(seed))
    throw new UsageError(`--seed must be a whole number from 0 to 999,999,999, not "${seed}".`)
  return Number(seed)
}
