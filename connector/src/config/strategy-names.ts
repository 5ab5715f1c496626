import type { IdSettings, PatchSettings, WriteSettings } from './settings.ts'

/** Names of the write strategies in Microsoft's connectors. */
export const WRITE_STRATEGIES: Readonly<Record<string, WriteSettings['strategy']>> = {
  ItemOverwrite: 'overwrite',
  ItemAppend: 'append',
  ItemDelete: 'delete',
  ItemDeleteIfNotModified: 'deleteIfNotModified',
  ItemOverwriteIfNotModified: 'overwriteIfNotModified',
  ItemPatch: 'patch'
}

/** Names of the id strategies in Microsoft's connectors. */
export const ID_STRATEGIES: Readonly<Record<string, IdSettings['strategy']>> = {
  ProvidedInValueStrategy: 'inValue',
  ProvidedInKeyStrategy: 'inKey',
  FullKeyStrategy: 'fullKey',
  KafkaMetadataStrategy: 'metadata',
  TemplateStrategy: 'template'
}

/** Names of the patch operations in Microsoft's connectors. */
export const PATCH_OPERATIONS: Readonly<Record<string, PatchSettings['operation']>> = {
  Add: 'add',
  Set: 'set',
  Replace: 'replace',
  Remove: 'remove',
  Increment: 'increment',
  None: 'none'
}

/** Lists the names of the sink, followed by those of Microsoft's connectors. */
export function bothNames(names: Readonly<Record<string, string>>): [string, ...string[]] {
  return [...Object.values(names), ...Object.keys(names)] as [string, ...string[]]
}
