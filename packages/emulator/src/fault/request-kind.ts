/** Kind of a request. */
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** All kinds of requests. */
export const REQUEST_KINDS = [
  'account',
  'createDatabase',
  'readDatabase',
  'deleteDatabase',
  'listDatabases',
  'createContainer',
  'readContainer',
  'replaceContainer',
  'deleteContainer',
  'listContainers',
  'ranges',
  'offers',
  'users',
  'permissions',
  'create',
  'upsert',
  'replace',
  'patch',
  'read',
  'delete',
  'deletePartition',
  'bulk',
  'batch',
  'query',
  'plan',
  'feed',
  'changeFeed',
  'conflicts'
] as const

/** Target of a fault: a kind of request, or one operation in a bulk request. */
export type TargetKind = RequestKind | 'bulkOperation'

/** Groups of kinds that a fault can name. */
export const KIND_GROUPS: Readonly<Record<'write' | 'read' | 'metadata' | 'any', readonly RequestKind[]>> = {
  write: ['create', 'upsert', 'replace', 'patch', 'delete', 'deletePartition', 'bulk', 'batch'],
  read: ['read', 'query', 'feed', 'changeFeed'],
  metadata: ['account', 'readDatabase', 'readContainer', 'ranges', 'offers', 'users', 'permissions', 'plan'],
  any: REQUEST_KINDS
}

/** The kinds that a name in a fault means; undefined for an unknown name. */
export function kindsOf(word: string): readonly TargetKind[] | undefined {
  if (Object.hasOwn(KIND_GROUPS, word)) return KIND_GROUPS[word as keyof typeof KIND_GROUPS]
  if (word === 'bulkOperation') return ['bulkOperation']
  return REQUEST_KINDS.filter((kind) => kind === word).length === 1 ? [word as RequestKind] : undefined
}
