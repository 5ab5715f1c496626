import { HIGHEST, LOWEST } from '../partition/boundaries.ts'
import { effectiveKey } from '../partition/effective-key.ts'
import { refuseUnless } from '../store/checks.ts'
import type { Container } from '../store/container.ts'
import type { PartitionKey } from '../store/partition-key.ts'
import type { ScanScope } from '../store/scan.ts'
import { keyOf, rangeOf, refuseRecreated } from './operation-request.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** What a feed or a query is limited to by its headers: a key, the prefix of one, a range, effective keys, or nothing. */
export function feedScopeOf(request: WireRequest, container: Container): ScanScope {
  refuseRecreated(request, container)
  const key = keyOf(request)
  if (key !== undefined && key.values.length > 0) return scopeOfKey(container, key)
  const range = rangeOf(request, container)
  const min = effectiveKeyOf(request, 'x-ms-start-epk') ?? range?.min ?? LOWEST
  const max = effectiveKeyOf(request, 'x-ms-end-epk') ?? range?.max ?? HIGHEST
  return { kind: 'keys', min, max, range }
}

/** The scope of a key, or of all keys that begin with the given levels. */
export function scopeOfKey(container: Container, key: PartitionKey): ScanScope {
  const levels = container.keyPaths.length
  refuseUnless(key.values.length <= levels, `The partition key has more components than the ${levels} that the container defines.`)
  if (key.values.length === levels) return { kind: 'partition', partition: container.partition(key) }
  const prefix = effectiveKey(key.values, container.key)
  return { kind: 'keys', min: prefix, max: `${prefix}FF`, range: undefined }
}

/** Whether the headers limit the request to less than the container. */
export function isScoped(scope: ScanScope): boolean {
  return scope.kind === 'partition' || scope.range !== undefined || scope.min !== LOWEST || scope.max !== HIGHEST
}

function effectiveKeyOf(request: WireRequest, name: string): string | undefined {
  const value = headerOf(request, name)
  if (value === undefined) return undefined
  refuseUnless(/^[0-9A-F]*$/i.test(value), `The header ${name} must be hexadecimal digits.`)
  return value.toUpperCase()
}
