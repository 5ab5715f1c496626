import { isDeepStrictEqual } from 'node:util'
import type { CheckedContainer, CheckedPlan, TargetRecipe } from '@keystamp/move'
import { parsePointer } from '@keystamp/core/internal'
import {
  azCommand,
  creationRuPerSecond,
  describeSteps,
  formatMany,
  leastRuPerSecond,
  MAX_PARTITION_RU,
  partitionsForStorage,
  type RateStep,
  roundUpRu,
  type ThroughputMode
} from '@keystamp/planner'

/** Container to create. */
export interface TargetName {
  readonly endpoint: string
  readonly database: string
  readonly container: string
}

/** The recipe for a target that has the data, the settings and the throughput of the source under the key of a plan. */
export function createTargetRecipe(source: CheckedContainer, plan: CheckedPlan, name: TargetName): TargetRecipe {
  const throughput = 'value' in source.throughput ? source.throughput.value : undefined
  const isServerless = throughput?.kind === 'serverless'
  const mode: ThroughputMode = throughput?.kind === 'autoscale' ? 'autoscale' : 'manual'
  const gb = 'value' in source.bytes ? source.bytes.value / 1e9 : null
  // the RU/s of a database are not those of the container
  const ruPerSecond = throughput === undefined || throughput.isShared ? null : throughput.ruPerSecond
  const partitions = Math.max(
    gb === null ? source.partitions : partitionsForStorage(gb).planned,
    Math.ceil((ruPerSecond ?? 0) / MAX_PARTITION_RU)
  )
  const create = isServerless ? null : creationRuPerSecond(partitions, mode)
  const run =
    create === null || ruPerSecond === null
      ? null
      : Math.max(ruPerSecond, leastAfter(create, { mode, gb, ruPerSecond }))
  return {
    partitions,
    createRuPerSecond: create,
    runRuPerSecond: run,
    json: jsonOf(source, plan, name),
    az: azOf(source, plan, name, { ruPerSecond: create, mode }),
    steps: stepsOf(partitions, create, run, mode)
  }
}

interface Rates {
  readonly mode: ThroughputMode
  readonly gb: number | null
  readonly ruPerSecond: number
}

function leastAfter(create: number, { mode, gb, ruPerSecond }: Rates): number {
  return leastRuPerSecond(mode, { gb, highestRuPerSecond: Math.max(create, roundUpRu(ruPerSecond, mode)) })
}

function stepsOf(
  partitions: number,
  create: number | null,
  run: number | null,
  mode: ThroughputMode
): readonly string[] {
  if (create === null)
    return ['Create the container with the definition below: a serverless account has no throughput to set.']
  const first: RateStep = { kind: 'create', ruPerSecond: create, partitions, splits: false }
  if (run === null || run === create) return describeSteps([first], mode)
  // up to 10,000 RU/s in each partition, a rate takes effect immediately
  const kind = run > create ? 'raise' : 'lower'
  const next: RateStep = { kind, ruPerSecond: run, partitions, splits: false }
  const [created, changed] = describeSteps([first, next], mode)
  return [
    created,
    kind === 'raise' ? changed : `After keystamp rekey finish: ${changed.charAt(0).toLowerCase()}${changed.slice(1)}`
  ]
}

/** Definition with all settings of the source. */
function jsonOf(
  { settings }: CheckedContainer,
  { keyPaths, hashVersion }: CheckedPlan,
  { endpoint, container }: TargetName
): string {
  const paths = keyPaths.map(containerPath)
  const isHierarchical = paths.length > 1
  const partitionKey = { paths, kind: isHierarchical ? 'MultiHash' : 'Hash', version: isHierarchical ? 2 : hashVersion }
  const { changeFeedPolicy, ...others } = settings
  // an account with continuous backup refuses a retention of the container: that of the backup counts
  const feed = changeFeedPolicy === undefined || accountOf(endpoint) !== undefined ? {} : { changeFeedPolicy }
  return JSON.stringify({ id: container, partitionKey, ...others, ...feed }, null, 2)
}

function azOf(
  { definition, settings }: CheckedContainer,
  { keyPaths, hashVersion }: CheckedPlan,
  { endpoint, database, container }: TargetName,
  { ruPerSecond, mode }: { readonly ruPerSecond: number | null; readonly mode: ThroughputMode }
): string {
  return azCommand({
    account: accountOf(endpoint),
    database,
    container,
    paths: keyPaths.map(containerPath),
    hashVersion,
    ttl: definition.defaultTtl,
    options: FILES.filter(
      ({ name }) => settings[name] !== undefined && !isDeepStrictEqual(settings[name], DEFAULTS[name])
    ).map(({ option, file }) => `${option} @${file}`),
    ruPerSecond,
    mode
  })
}

/** Name of the account; an emulator, and an own domain, do not tell it. */
function accountOf(endpoint: string): string | undefined {
  return /^([^.]+)\.documents\.azure\./.exec(new URL(endpoint).hostname)?.[1]
}

/** Settings that the command reads from files, unless they are those of every container. */
const FILES = [
  { name: 'indexingPolicy', option: '--idx', file: 'indexing-policy.json' },
  { name: 'uniqueKeyPolicy', option: '--unique-key-policy', file: 'unique-keys.json' },
  { name: 'conflictResolutionPolicy', option: '--conflict-resolution-policy', file: 'conflicts.json' }
] as const

const DEFAULTS: Readonly<Record<(typeof FILES)[number]['name'], object>> = {
  indexingPolicy: {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/*' }],
    excludedPaths: [{ path: '/"_etag"/?' }]
  },
  uniqueKeyPolicy: { uniqueKeys: [] },
  conflictResolutionPolicy: {
    mode: 'LastWriterWins',
    conflictResolutionPath: '/_ts',
    conflictResolutionProcedure: ''
  }
}

/** Path of a container: `/a/"b c"` for the pointer `/a/b c`. */
function containerPath(pointer: string): string {
  return (parsePointer(pointer) ?? [])
    .map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `/${name}` : `/${JSON.stringify(name)}`))
    .join('')
}

/** The files that the command of the Azure CLI reads, with their place in the definition. */
export function filesOf(az: string): string | undefined {
  const used = FILES.filter(({ file }) => az.includes(`@${file}`))
  if (used.length === 0) return undefined
  const names = used.map(({ name, file }) => `${file} (\`${name}\`)`)
  return `The command reads ${formatMany(used.length, 'file')} with parts of the definition: ${names.join(', ')}.`
}
