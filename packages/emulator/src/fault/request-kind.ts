/** What a request turns out to be. */
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

/** What a fault may strike: a kind of request, or one operation inside a bulk request. */
export type TargetKind = RequestKind | 'bulkOperation'

/** Kinds that a fault may name together. */
export const KIND_GROUPS: Readonly<Record<'write' | 'read' | 'metadata' | 'any', readonly RequestKind[]>> = {
  write: ['create', 'upsert', 'replace', 'patch', 'delete', 'deletePartition', 'bulk', 'batch'],
  read: ['read', 'query', 'feed', 'changeFeed'],
  metadata: ['account', 'readDatabase', 'readContainer', 'ranges', 'offers', 'plan'],
  any: REQUEST_KINDS
}

/** The kinds that a word of a fault stands for; undefined for a word that is none. */
export function kindsOf(word: string): readonly TargetKind[] | undefined {
  if (Object.hasOwn(KIND_GROUPS, word)) return KIND_GROUPS[word as keyof typeof KIND_GROUPS]
  if (word === 'bulkOperation') return ['bulkOperation']
  return REQUEST_KINDS.filter((kind) => kind === word).length === 1 ? [word as RequestKind] : undefined
}
