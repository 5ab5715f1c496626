import type { IndexContainer, Recipe } from '../report/plan-report.ts'
import type { ThroughputMode } from '../service/limits.ts'
import { describeSteps } from '../service/raise.ts'
import { formatCount, formatMany } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'
import type { Evaluated } from './candidate-report.ts'

/** Returns the definitions of the container, with placeholders for names, and the steps to create and to use it. */
export function recipeOf(
  { candidate, needed, report }: Pick<Evaluated, 'candidate' | 'needed' | 'report'>,
  { ttlSeconds }: Pick<Workload, 'ttlSeconds'>
): Recipe {
  const { plan, partitionKeyPaths, levels } = candidate
  const isHierarchical = levels.length > 1
  const partitionKey = { paths: partitionKeyPaths, kind: isHierarchical ? 'MultiHash' : 'Hash', version: 2 }
  const ttl = typeof ttlSeconds === 'number' ? { defaultTtl: ttlSeconds } : {}
  const create = needed?.createRuPerSecond ?? needed?.ruPerSecond ?? null
  const definition = { id: '<container>', partitionKey, ...ttl }
  return {
    plan,
    container: {
      json: JSON.stringify(definition, null, 2),
      az: azCommand({ paths: partitionKeyPaths, ttl: ttl.defaultTtl, ruPerSecond: create }),
      bicep: bicepOf(partitionKey, ttl.defaultTtl, create),
      terraform: terraformOf(partitionKey, ttl.defaultTtl, create)
    },
    createRuPerSecond: create,
    runRuPerSecond: needed?.ruPerSecond ?? null,
    steps: [
      ...containerSteps(candidate, needed),
      ...(plan === null
        ? ['No key plan is needed: the documents already contain the partition key.']
        : ['Save the key plan as plan.json, and use it for every writer and reader: stamp, load, sink, createReader.']),
      ...report.indexContainers.map((each) => indexStep(each, partitionKeyPaths)),
      ...(needed?.isAboveQuota === true
        ? [`More than ${formatCount(1_000_000)} RU/s need a support request to Microsoft.`]
        : [])
    ]
  }
}

function containerSteps({ kind }: Evaluated['candidate'], needed: Evaluated['needed']): readonly string[] {
  if (kind !== 'present')
    return needed === null ? ['Create the container with the definition below.'] : describeSteps(needed.path)
  if (needed === null) return ['Keep the container.']
  const { partitions, ruPerSecond, createRuPerSecond, path } = needed
  // if the partitions of the container are unknown, the path is that of a new container
  const steps = createRuPerSecond === null ? describeSteps(path) : []
  return [
    ...steps,
    `Keep the container. With ${formatMany(partitions, 'physical partition')}, the load needs ${formatCount(ruPerSecond)} RU/s.`
  ]
}

function indexStep({ name, partitionKeyPaths, neededRuPerSecond, queries }: IndexContainer, paths: readonly string[]) {
  const entry = [...new Set(['/id', ...partitionKeyPaths, ...paths])].join(', ')
  return `Create an index container with the partition key ${name} and ${formatCount(neededRuPerSecond)} RU/s. Before you write a document, write an entry with the fields ${entry} into the index container. For ${queries.map((query) => `"${query}"`).join(' and ')}, read the entries first, and then each document by its key and id.`
}

const API = '2024-05-15'

/** Container to create with the Azure CLI. Names that are missing become placeholders. */
export interface AzContainer {
  readonly account?: string | undefined
  readonly database?: string | undefined
  readonly container?: string | undefined
  readonly paths: readonly string[]
  /** Default: 2. */
  readonly hashVersion?: 1 | 2 | undefined
  readonly ttl: number | undefined
  /** RU/s, or autoscale maximum; null without. */
  readonly ruPerSecond: number | null
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  /** Further options, such as `--idx @indexing.json`. */
  readonly options?: readonly string[]
}

/** Returns the command that creates a container. */
export function azCommand(az: AzContainer): string {
  const { account = '<account>', database = '<database>', container = '<container>', paths, ttl } = az
  const { hashVersion = 2, options = [] } = az
  // the command accepts only one path: a hierarchical key needs a template or an SDK
  if (paths.length > 1)
    return '# az cosmosdb accepts only one path: create a container with a hierarchical partition key with Bicep, Terraform or an SDK.'
  const throughput = az.mode === 'autoscale' ? '--max-throughput' : '--throughput'
  return [
    'az cosmosdb sql container create',
    `--resource-group <group> --account-name ${account} --database-name ${database} --name ${container}`,
    `--partition-key-path '${paths[0]}' --partition-key-version ${hashVersion}`,
    ...(ttl === undefined ? [] : [`--ttl ${ttl}`]),
    ...options,
    ...(az.ruPerSecond === null ? [] : [`${throughput} ${az.ruPerSecond}`])
  ].join(' \\\n  ')
}

interface PartitionKeyDefinition {
  readonly paths: readonly string[]
  readonly kind: string
  readonly version: number
}

function bicepOf({ paths, kind, version }: PartitionKeyDefinition, ttl: number | undefined, ru: number | null): string {
  const options = ru === null ? [] : [`    options: { throughput: ${ru} }`]
  const lifetime = ttl === undefined ? [] : [`      defaultTtl: ${ttl}`]
  return [
    `resource container 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@${API}' = {`,
    '  parent: database',
    "  name: '<container>'",
    '  properties: {',
    ...options,
    '    resource: {',
    "      id: '<container>'",
    `      partitionKey: { paths: [${paths.map((path) => ` '${path}'`).join('')} ], kind: '${kind}', version: ${version} }`,
    ...lifetime,
    '    }',
    '  }',
    '}'
  ].join('\n')
}

function terraformOf(
  { paths, kind, version }: PartitionKeyDefinition,
  ttl: number | undefined,
  ru: number | null
): string {
  const lines: readonly (readonly [string, string])[] = [
    ['name', '"<container>"'],
    ['resource_group_name', '"<group>"'],
    ['account_name', '"<account>"'],
    ['database_name', '"<database>"'],
    ['partition_key_paths', JSON.stringify(paths)],
    ['partition_key_kind', JSON.stringify(kind)],
    ['partition_key_version', String(version)],
    ...(ttl === undefined ? [] : ([['default_ttl', String(ttl)]] as const)),
    ...(ru === null ? [] : ([['throughput', String(ru)]] as const))
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return [
    'resource "azurerm_cosmosdb_sql_container" "container" {',
    ...lines.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`),
    '}'
  ].join('\n')
}
