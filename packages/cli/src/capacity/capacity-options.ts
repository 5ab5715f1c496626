import {
  formatBytes,
  formatCount,
  formatMany,
  instantRuPerSecond,
  leastRuPerSecond,
  MAX_PARTITION_GB,
  parseRu,
  parseWorkload,
  type PresentContainer,
  type PricedAccount,
  type ThroughputMode,
  type Workload,
  WorkloadError
} from '@keystamp/planner'
import { UsageError } from '../exit-codes.ts'

/** Options of `keystamp capacity`. */
export interface CapacityCommandOptions {
  readonly partitions?: string
  readonly from?: string
  readonly to?: string
  readonly highest?: string
  readonly autoscale?: boolean
  readonly gb?: string
  readonly writes?: string
  readonly size?: string
  readonly indexed?: string
  readonly ttl?: string
  readonly growth?: string
  readonly utilization?: string
  readonly regions?: string
  readonly multiRegionWrites?: boolean
  readonly json?: boolean
}

/** Question of a command line, checked. */
export interface CapacityQuestion {
  readonly mode: ThroughputMode
  /** Physical partitions of the container that there is. */
  readonly partitions: number | undefined
  /** The container, if its rate is known too. */
  readonly container: PresentContainer | undefined
  /** Rate that the container is to get. */
  readonly toRuPerSecond: number | undefined
  /** Data and load; undefined if the question is only about a raise. */
  readonly workload: Workload | undefined
  readonly account: PricedAccount
  /** Facts that were not given. */
  readonly assumptions: readonly string[]
}

const DEFAULT_SIZE = '1KB'
const DEFAULT_INDEXED = '10'

/** Checks the options, and names every mistake in a sentence of its own. */
export function readQuestion(options: CapacityCommandOptions): CapacityQuestion {
  const mistakes: string[] = missingParts(options)
  const mode = options.autoscale === true ? 'autoscale' : 'manual'
  const partitions = readPartitions(options.partitions, mistakes)
  const from = readRu('--from', options.from, mode, mistakes)
  const toRuPerSecond = readRu('--to', options.to, mode, mistakes)
  const highest = readRu('--highest', options.highest, mode, mistakes)
  const workload = readWorkload(options, mistakes)
  const container =
    partitions === undefined || from === undefined
      ? undefined
      : { partitions, ruPerSecond: from, highestRuPerSecond: highest }
  if (container !== undefined) checkContainer(container, mistakes)
  if (partitions !== undefined) checkData(partitions, workload, mistakes)
  if (container !== undefined && toRuPerSecond !== undefined)
    checkTarget(container, toRuPerSecond, mode, gbOf(workload), mistakes)
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\nkeystamp: '))
  return {
    mode,
    partitions,
    container,
    toRuPerSecond,
    workload: asksForNeed(options) ? workload : undefined,
    account: { regions: workload?.regions ?? 1, multiRegionWrites: workload?.multiRegionWrites ?? false },
    assumptions: assumedParts(options)
  }
}

/** GB of data today; undefined if unknown. */
export function gbOf(workload: Workload | undefined): number | undefined {
  return workload?.totalBytes === undefined ? undefined : workload.totalBytes / 1e9
}

function asksForNeed({ gb, writes, growth }: CapacityCommandOptions): boolean {
  return gb !== undefined || writes !== undefined || growth !== undefined
}

function missingParts(options: CapacityCommandOptions): string[] {
  const { partitions, from, to, highest, writes, size, indexed, ttl, growth } = options
  if (to === undefined && !asksForNeed(options))
    return [
      'Nothing to compute. For a change of the RU/s, give --partitions, --from and --to. For the need of data and load, give --gb, or --writes and --size.'
    ]
  const mistakes: string[] = []
  if (to !== undefined && (partitions === undefined || from === undefined))
    mistakes.push('--to needs --partitions and --from: the current physical partitions and RU/s of the container.')
  else if (from !== undefined && partitions === undefined)
    mistakes.push('--from needs --partitions: the current physical partitions of the container.')
  else if (partitions !== undefined && from === undefined && writes !== undefined)
    mistakes.push('--partitions with --writes needs --from: the current RU/s of the container.')
  if (highest !== undefined && from === undefined) mistakes.push('--highest needs --from.')
  for (const [name, value] of Object.entries({ '--size': size, '--indexed': indexed }))
    if (value !== undefined && writes === undefined) mistakes.push(`${name} needs --writes.`)
  if (ttl !== undefined && writes === undefined && growth === undefined)
    mistakes.push('--ttl needs --writes or --growth: the amount of new data.')
  return mistakes
}

function readPartitions(text: string | undefined, mistakes: string[]): number | undefined {
  if (text === undefined || /^[1-9]\d{0,4}$/.test(text)) return text === undefined ? undefined : Number(text)
  mistakes.push(`--partitions must be a whole number from 1 to 99,999, not "${text}".`)
  return undefined
}

function readRu(name: string, text: string | undefined, mode: ThroughputMode, mistakes: string[]): number | undefined {
  if (text === undefined) return undefined
  const reading = parseRu(text)
  const least = leastRuPerSecond(mode, {})
  const step = mode === 'manual' ? 100 : 1000
  if (reading.ok && reading.value >= least && reading.value % step === 0) return reading.value
  const kind = mode === 'manual' ? 'A manual throughput' : 'An autoscale maximum'
  mistakes.push(
    reading.ok
      ? `${name} cannot be ${formatCount(reading.value)} RU/s. ${kind} is a multiple of ${formatCount(step)} RU/s, and at least ${formatCount(least)} RU/s.`
      : `${name} ${reading.reason}.`
  )
  return undefined
}

function checkContainer({ partitions, ruPerSecond, highestRuPerSecond }: PresentContainer, mistakes: string[]): void {
  const most = instantRuPerSecond(partitions)
  if (ruPerSecond > most)
    mistakes.push(
      `--from is ${formatCount(ruPerSecond)} RU/s, but ${partitionsText(partitions)} cannot have more than ${formatCount(most)} RU/s.`
    )
  if (highestRuPerSecond !== undefined && highestRuPerSecond < ruPerSecond)
    mistakes.push('--highest is below --from, but it is the highest RU/s that the container ever had.')
}

function checkData(partitions: number, workload: Workload | undefined, mistakes: string[]): void {
  const most = partitions * MAX_PARTITION_GB * 1e9
  const { totalBytes = 0 } = workload ?? {}
  if (totalBytes > most)
    mistakes.push(
      `--gb is ${formatBytes(totalBytes)}, but ${partitionsText(partitions)} cannot hold more than ${formatBytes(most)}.`
    )
}

function checkTarget(
  container: PresentContainer,
  to: number,
  mode: ThroughputMode,
  gb: number | undefined,
  mistakes: string[]
): void {
  const { ruPerSecond, highestRuPerSecond = ruPerSecond } = container
  const least = leastRuPerSecond(mode, { gb, highestRuPerSecond })
  if (to === ruPerSecond) mistakes.push('--to equals --from: the container already has this throughput.')
  else if (to < least)
    mistakes.push(
      `--to is below ${formatCount(least)} RU/s, the minimum throughput of a container with ${gb === undefined ? '' : 'this amount of data and '}a highest throughput of ${formatCount(highestRuPerSecond)} RU/s.`
    )
}

function partitionsText(count: number): string {
  return formatMany(count, 'physical partition')
}

/** Reads data and load as a workload, so that contradictions are found. */
function readWorkload(options: CapacityCommandOptions, mistakes: string[]): Workload | undefined {
  const { gb, writes, size, indexed, ttl, growth, utilization, regions, multiRegionWrites } = options
  try {
    return parseWorkload(
      {
        totalSize: gb !== undefined && /^[\d.,_]+$/.test(gb) ? `${gb}GB` : gb,
        itemSize: writes === undefined ? undefined : (size ?? DEFAULT_SIZE),
        writes:
          writes === undefined
            ? undefined
            : { rate: writes, operation: 'create', indexedValues: indexed ?? DEFAULT_INDEXED },
        ttl,
        growth,
        meanUtilization: utilization,
        regions: regions !== undefined && /^\d+$/.test(regions) ? Number(regions) : regions,
        multiRegionWrites
      },
      { nameOf: (pointer) => OPTION_OF[pointer] ?? pointer }
    )
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error
    mistakes.push(...error.mistakes.map(({ path, message }) => `${path} ${message}.`))
    return undefined
  }
}

const OPTION_OF: Readonly<Record<string, string>> = {
  '/totalSize': '--gb',
  '/itemSize': '--size',
  '/writes/rate': '--writes',
  '/writes/indexedValues': '--indexed',
  '/ttl': '--ttl',
  '/growth': '--growth',
  '/meanUtilization': '--utilization',
  '/regions': '--regions',
  '/multiRegionWrites': '--multi-region-writes'
}

function assumedParts({ writes, size, indexed, ttl, growth, utilization }: CapacityCommandOptions): readonly string[] {
  if (writes === undefined) return []
  return [
    'Every write creates a document; an update costs up to twice as much, and adds no data.',
    ...(size === undefined ? ['A document has 1 KB (--size).'] : []),
    ...(indexed === undefined ? ['A document has 10 indexed values (--indexed).'] : []),
    ...(ttl === undefined && growth === undefined ? ['Documents are kept forever (--ttl).'] : []),
    ...(utilization === undefined ? ['Every hour has the peak load (--utilization).'] : [])
  ]
}
