import { parseIndexPath } from '../charge/index-policy.ts'
import type { KeyScheme } from '../partition/effective-key.ts'
import { parsePropertyPath, readPropertyPath } from '../partition/partition-key.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import {
  type ChangeFeedPolicy,
  parseChangeFeedPolicy,
  parsePreviousImagePolicy,
  type PreviousImagePolicy
} from './change-feed-policy.ts'
import { type ComputedPropertyText, parseComputedProperties, parseCompositeIndexes } from './indexed-properties.ts'
import { checkVectorIndexes, parseVectorEmbeddings, refuseFullText, type VectorEmbedding } from './vector-policy.ts'

/** The user's definition of a container, validated and completed with the service's defaults. */
export interface ContainerDefinition {
  readonly id: string
  readonly partitionKey: KeyDefinition
  readonly indexingPolicy: IndexingPolicy
  readonly defaultTtl?: number
  readonly computedProperties?: readonly ComputedPropertyText[]
  readonly uniqueKeyPolicy?: { readonly uniqueKeys: readonly { readonly paths: readonly string[] }[] }
  readonly changeFeedPolicy?: ChangeFeedPolicy
  readonly previousImageRetentionPolicy?: PreviousImagePolicy
  readonly vectorEmbeddingPolicy?: { readonly vectorEmbeddings: readonly VectorEmbedding[] }
  readonly [kept: string]: unknown
}

/** The indexing policy of a container, as stored and returned. */
interface IndexingPolicy {
  readonly indexingMode: string
  readonly automatic: boolean
  readonly includedPaths: readonly { readonly path: string }[]
  readonly excludedPaths: readonly { readonly path: string }[]
  readonly [kept: string]: unknown
}

/** Reads the body of a create or a replace. */
export function parseContainerDefinition(body: unknown): ContainerDefinition {
  refuseUnless(isObject(body), 'The container must be a JSON object.')
  const id = parseResourceName(body['id'])
  for (const name of UNSUPPORTED) {
    if (isFilled(body[name]))
      throw new ServiceError(501, `The container property '${name}' is not supported by this emulator.`)
  }
  const indexingPolicy = parseIndexingPolicy(body['indexingPolicy'])
  checkVectorIndexes(indexingPolicy['vectorIndexes'], parseVectorEmbeddings(body['vectorEmbeddingPolicy']))
  refuseFullText(body['fullTextPolicy'], indexingPolicy['fullTextIndexes'])
  return {
    ...kept(body),
    id,
    partitionKey: parseKeyDefinition(body['partitionKey']),
    indexingPolicy,
    ...optional('defaultTtl', parseDefaultTtl(body['defaultTtl'])),
    ...optional('uniqueKeyPolicy', parseUniqueKeys(body['uniqueKeyPolicy'])),
    ...optional('changeFeedPolicy', parseChangeFeedPolicy(body['changeFeedPolicy'])),
    ...optional('previousImageRetentionPolicy', parsePreviousImagePolicy(body['previousImageRetentionPolicy'])),
    ...optional('computedProperties', parseComputedProperties(body['computedProperties'])),
    conflictResolutionPolicy: body['conflictResolutionPolicy'] ?? LAST_WRITER_WINS,
    geospatialConfig: body['geospatialConfig'] ?? { type: 'Geography' }
  }
}

/** The id of a database or a container. */
export function parseResourceName(id: unknown): string {
  refuseUnless(id !== undefined, "The input content is invalid because the required properties - 'id; ' - are missing.")
  refuseUnless(
    typeof id === 'string' && id.length > 0 && id.length <= 255,
    "The property 'id' is invalid. Ensure to provide a unique non-empty string less than '255' characters."
  )
  refuseUnless(!/[/\\?#]/.test(id), "The property 'id' must not contain '/', '\\', '?' or '#'.")
  refuseUnless(!id.endsWith(' '), "The property 'id' must not end in a space.")
  refuseUnless(id.isWellFormed(), "The property 'id' must not hold half of a surrogate pair.")
  return id
}

const LAST_WRITER_WINS = { mode: 'LastWriterWins', conflictResolutionPath: '/_ts', conflictResolutionProcedure: '' }
const UNSUPPORTED: readonly string[] = ['materializedViewDefinition']
const KEPT: readonly string[] = [
  'analyticalStorageTtl',
  'vectorEmbeddingPolicy',
  'fullTextPolicy',
  'clientEncryptionPolicy'
]
const MAX_TTL = 2_147_483_647

function kept(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    KEPT.filter((name) => body[name] !== undefined && body[name] !== null).map((name) => [name, body[name]])
  )
}

function optional(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

function parseDefaultTtl(ttl: unknown): number | undefined {
  if (ttl === undefined || ttl === null) return undefined
  const isValid = typeof ttl === 'number' && Number.isInteger(ttl) && (ttl === -1 || (ttl > 0 && ttl <= MAX_TTL))
  refuseUnless(isValid, "The property 'defaultTtl' must be -1 or a whole number of seconds from 1 to 2147483647.")
  return ttl
}

function parseIndexingPolicy(policy: unknown): IndexingPolicy {
  if (policy === undefined || policy === null) return { ...DEFAULT_POLICY }
  refuseUnless(isObject(policy), "The property 'indexingPolicy' must be an object.")
  const mode = policy['indexingMode'] ?? 'consistent'
  const isMode = typeof mode === 'string' && ['consistent', 'none', 'lazy'].includes(mode.toLowerCase())
  refuseUnless(isMode, "The property 'indexingPolicy.indexingMode' must be 'consistent' or 'none'.")
  const indexingMode = mode.toLowerCase()
  const isNone = indexingMode === 'none'
  const includedPaths = parsePaths(policy['includedPaths'], 'includedPaths')
  const excludedPaths = parsePaths(policy['excludedPaths'], 'excludedPaths')
  parseCompositeIndexes(policy['compositeIndexes'])
  return {
    ...policy,
    indexingMode,
    // the client's value is ignored, since some clients always send false
    automatic: !isNone,
    includedPaths:
      includedPaths?.map(withoutIndexes) ?? (isNone || holds(excludedPaths, ROOT) ? [] : DEFAULT_POLICY.includedPaths),
    excludedPaths:
      isNone || holds(excludedPaths, ETAG) ? (excludedPaths ?? []) : [...(excludedPaths ?? []), { path: ETAG }]
  }
}

// the service once had several kinds of indexes; clients still send `indexes`, but the service no longer returns it
function withoutIndexes(entry: { path: string }): { path: string } {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'indexes')) as { path: string }
}

function holds(paths: readonly { readonly path: string }[] | undefined, path: string): boolean {
  return paths?.some((entry) => entry.path === path) === true
}

const ROOT = '/*'
const ETAG = '/"_etag"/?'

const DEFAULT_POLICY: IndexingPolicy = {
  indexingMode: 'consistent',
  automatic: true,
  includedPaths: [{ path: ROOT }],
  excludedPaths: [{ path: ETAG }]
}

function parsePaths(paths: unknown, name: string): { path: string }[] | undefined {
  if (paths === undefined || paths === null || (Array.isArray(paths) && paths.length === 0)) return undefined
  refuseUnless(Array.isArray(paths), `The property 'indexingPolicy.${name}' must be an array.`)
  return paths.map((entry: unknown) => {
    const path = isObject(entry) ? entry['path'] : undefined
    const isPath = typeof path === 'string' && (path === '/' || parseIndexPath(path) !== undefined)
    refuseUnless(
      isPath,
      `The indexing path ${JSON.stringify(path)} in '${name}' is not valid: paths begin with '/' and end in '/?' or '/*'.`
    )
    return entry as { path: string }
  })
}

function parseUniqueKeys(policy: unknown): { uniqueKeys: { paths: string[] }[] } | undefined {
  if (policy === undefined || policy === null) return undefined
  const keys = isObject(policy) ? (policy['uniqueKeys'] ?? []) : undefined
  refuseUnless(Array.isArray(keys), "The property 'uniqueKeyPolicy.uniqueKeys' must be an array.")
  refuseUnless(keys.length <= 10, 'A container has at most 10 unique keys.')
  return keys.length === 0 ? undefined : { uniqueKeys: keys.map(parseUniqueKey) }
}

function parseUniqueKey(key: unknown): { paths: string[] } {
  const paths = isObject(key) ? key['paths'] : undefined
  refuseUnless(Array.isArray(paths) && paths.length > 0 && paths.length <= 16, 'A unique key has 1 to 16 paths.')
  for (const path of paths as unknown[]) {
    const isPath = typeof path === 'string' && parsePropertyPath(path) !== undefined
    refuseUnless(isPath, `The unique key path ${JSON.stringify(path)} is not valid: it must begin with '/'.`)
  }
  return { paths: paths as string[] }
}

/** The partition key definition of a container, as returned. */
export interface KeyDefinition extends KeyScheme {
  readonly paths: readonly string[]
}

/** Reads `partitionKey` of a container; some SDKs write the version as `"V2"`. */
function parseKeyDefinition(value: unknown): KeyDefinition {
  refuseUnless(isObject(value), "The property 'partitionKey' is missing: name at least one path.")
  const kind = value['kind'] ?? 'Hash'
  refuseUnless(
    kind === 'Hash' || kind === 'MultiHash',
    "The property 'partitionKey.kind' must be 'Hash' or 'MultiHash'."
  )
  const version = parseVersion(value['version'], kind)
  const paths = value['paths']
  refuseUnless(
    Array.isArray(paths) && paths.length > 0,
    "The property 'partitionKey.paths' must name at least one path."
  )
  const maxPaths = kind === 'MultiHash' ? 3 : 1
  const hint =
    kind === 'MultiHash' ? '' : " A partition key of kind 'Hash' has one path; use 'MultiHash' for up to three."
  refuseUnless(
    paths.length <= maxPaths,
    `Too many partition key paths (${paths.length}) specified. A maximum of ${maxPaths} is allowed.${hint}`
  )
  for (const path of paths as unknown[]) {
    refuseUnless(typeof path === 'string', `The partition key path ${JSON.stringify(path)} must be a string.`)
    const names = readPropertyPath(path)
    refuseUnless(
      typeof names !== 'number',
      `The partition key component definition path '${path}' ${refusedNear(names)}`
    )
  }
  refuseUnless(new Set(paths).size === paths.length, 'The paths of a partition key must differ.')
  return { paths: paths as string[], kind, version }
}

/** A definition as the service returns it, which leaves out version 1. */
export function printKeyDefinition({ paths, kind, version }: KeyDefinition): Record<string, unknown> {
  return version === 1 ? { paths, kind } : { paths, kind, version }
}

function refusedNear(position: string[] | number): string {
  return (
    `could not be accepted, failed near position '${String(position)}'. Partition key paths must contain only valid characters and not contain a ` +
    'trailing slash or wildcard character: they begin with a slash; names with other characters than letters, digits and underscores are in quotes.'
  )
}

function parseVersion(version: unknown, kind: 'Hash' | 'MultiHash'): 1 | 2 {
  if (version === undefined || version === null) return kind === 'MultiHash' ? 2 : 1
  const isTwo = version === 2 || version === 'V2'
  refuseUnless(isTwo || version === 1 || version === 'V1', "The property 'partitionKey.version' must be 1 or 2.")
  refuseUnless(isTwo || kind === 'Hash', "A partition key of kind 'MultiHash' has version 2.")
  return isTwo ? 2 : 1
}
