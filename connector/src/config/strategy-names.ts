import type { IdSettings, PatchSettings, WriteSettings } from './settings.ts'

/** What Microsoft's connectors call the write strategies. */
export const WRITE_STRATEGIES: Readonly<Record<string, WriteSettings['strategy']>> = {
  ItemOverwrite: 'overwrite',
  ItemAppend: 'append',
  ItemDelete: 'delete',
  ItemDeleteIfNotModified: 'deleteIfNotModified',
  ItemOverwriteIfNotModified: 'overwriteIfNotModified',
  ItemPatch: 'patch'
}

/** What they call the id strategies. */
export const ID_STRATEGIES: Readonly<Record<string, IdSettings['strategy']>> = {
  ProvidedInValueStrategy: 'inValue',
  ProvidedInKeyStrategy: 'inKey',
  FullKeyStrategy: 'fullKey',
  KafkaMetadataStrategy: 'metadata',
  TemplateStrategy: 'template'
}

/** What they call the operations of a patch. */
export const PATCH_OPERATIONS: Readonly<Record<string, PatchSettings['operation']>> = {
  Add: 'add',
  Set: 'set',
  Replace: 'replace',
  Remove: 'remove',
  Increment: 'increment',
  None: 'none'
}

/** Our own names and theirs, for a schema. */
export function bothNames(names: Readonly<Record<string, string>>): [string, ...string[]] {
  return [...Object.values(names), ...Object.keys(names)] as [string, ...string[]]
}
