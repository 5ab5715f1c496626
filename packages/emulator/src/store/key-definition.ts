import type { KeyScheme } from '../partition/key-value.ts'
import { isObject, refuseUnless } from './checks.ts'
import { parsePropertyPath } from './property-path.ts'

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
  refuseUnless(
    kind === 'MultiHash' || paths.length === 1,
    "A partition key of kind 'Hash' has exactly one path; use 'MultiHash' for up to three."
  )
  refuseUnless(paths.length <= 3, 'A hierarchical partition key has at most three paths.')
  for (const path of paths as unknown[]) {
    const isPath = typeof path === 'string' && parsePropertyPath(path) !== undefined
    refuseUnless(isPath, `The partition key path ${JSON.stringify(path)} is not valid: it must begin with '/' and name a property.`)
  }
  refuseUnless(new Set(paths).size === paths.length, 'The paths of a partition key must differ.')
  return { paths: paths as string[], kind, version }
}

function parseVersion(version: unknown, kind: 'Hash' | 'MultiHash'): 1 | 2 {
  if (version === undefined || version === null) return kind === 'MultiHash' ? 2 : 1
  const isTwo = version === 2 || version === 'V2'
  refuseUnless(isTwo || version === 1 || version === 'V1', "The property 'partitionKey.version' must be 1 or 2.")
  refuseUnless(isTwo || kind === 'Hash', "A partition key of kind 'MultiHash' has version 2.")
  return isTwo ? 2 : 1
}
