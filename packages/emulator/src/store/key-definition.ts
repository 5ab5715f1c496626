import type { KeyScheme } from '../partition/key-value.ts'
import { isObject, refuseUnless } from './checks.ts'
import { readPropertyPath } from './property-path.ts'

/** The partition key definition of a container, as it is handed out. */
export interface KeyDefinition extends KeyScheme {
  readonly paths: readonly string[]
}

/** Reads `partitionKey` of a container; other SDKs write the version as `"V2"`. */
export function parseKeyDefinition(value: unknown): KeyDefinition {
  refuseUnless(isObject(value), "The property 'partitionKey' is missing: name at least one path.")
  const kind = value['kind'] ?? 'Hash'
  refuseUnless(kind === 'Hash' || kind === 'MultiHash', "The property 'partitionKey.kind' must be 'Hash' or 'MultiHash'.")
  const version = parseVersion(value['version'], kind)
  const paths = value['paths']
  refuseUnless(Array.isArray(paths) && paths.length > 0, "The property 'partitionKey.paths' must name at least one path.")
  const most = kind === 'MultiHash' ? 3 : 1
  const hint = kind === 'MultiHash' ? '' : " A partition key of kind 'Hash' has one path; use 'MultiHash' for up to three."
  refuseUnless(paths.length <= most, `Too many partition key paths (${paths.length}) specified. A maximum of ${most} is allowed.${hint}`)
  for (const path of paths as unknown[]) {
    refuseUnless(typeof path === 'string', `The partition key path ${JSON.stringify(path)} must be a string.`)
    const names = readPropertyPath(path)
    refuseUnless(typeof names !== 'number', `The partition key component definition path '${path}' ${refusedNear(names)}`)
  }
  refuseUnless(new Set(paths).size === paths.length, 'The paths of a partition key must differ.')
  return { paths: paths as string[], kind, version }
}

/** A definition as the service hands it out: it names the version only when it is not the first one. */
export function printKeyDefinition({ paths, kind, version }: KeyDefinition): Record<string, unknown> {
  return version === 1 ? { paths, kind } : { paths, kind, version }
}

function refusedNear(position: string[] | number): string {
  return (
    `could not be accepted, failed near position '${String(position)}'. Partition key paths must contain only valid characters and not contain a ` +
    'trailing slash or wildcard character: they begin with a slash; names of other characters than letters, digits and underscores stand between quotes.'
  )
}

function parseVersion(version: unknown, kind: 'Hash' | 'MultiHash'): 1 | 2 {
  if (version === undefined || version === null) return kind === 'MultiHash' ? 2 : 1
  const isTwo = version === 2 || version === 'V2'
  refuseUnless(isTwo || version === 1 || version === 'V1', "The property 'partitionKey.version' must be 1 or 2.")
  refuseUnless(isTwo || kind === 'Hash', "A partition key of kind 'MultiHash' has version 2.")
  return isTwo ? 2 : 1
}
