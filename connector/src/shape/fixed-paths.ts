import { pointerOfPath } from '@keystamp/cosmos'

/** JSON pointers of what stays as it is once a document is stored. */
export type FixedPaths = readonly string[]

const SYSTEM_PATHS: FixedPaths = ['/_rid', '/_self', '/_etag', '/_ts', '/_attachments']

/** The id, the levels of the key, and what Cosmos DB itself writes. */
export function fixedPaths(keyPaths: readonly string[]): FixedPaths {
  return ['/id', ...keyPaths.map(pointerOfPath), ...SYSTEM_PATHS]
}

/** Whether the place that `outer` names is, or holds, the one that `path` names. */
export function covers(outer: string, path: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}
