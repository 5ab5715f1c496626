import type { Translating } from './draft.ts'

/**
 * Translates Debezium's ExtractNewRecordState, which replaces a change by its row: the format of change data does the
 * same, and deletes documents.
 */
export function translateUnwrap(
  key: string,
  options: ReadonlyMap<string, string>,
  { draft, refuse, change }: Translating
): void {
  draft.isChangeData = true
  for (const [name, remedy] of REFUSED) {
    if ((options.get(name) ?? '') !== '') refuse(`${key}.${name}`, remedy)
  }
  const mode = options.get('delete.tombstone.handling.mode') ?? options.get('delete.handling.mode') ?? 'drop'
  if (mode.startsWith('rewrite')) {
    refuse(
      `${key}.delete.tombstone.handling.mode`,
      'marked documents with __deleted; the sink deletes them. To keep them, write the rows to a topic of their own, and do not use change data'
    )
  } else change(key, `${DELETES[mode] ?? 'handled deletes'}; the sink deletes the document`)
}

const DELETES: Readonly<Record<string, string>> = {
  drop: 'dropped deletes, so documents of deleted rows stayed',
  none: 'passed deletes on, and the task failed',
  tombstone: 'left a tombstone of a delete, and the task failed',
  'delete-to-tombstone': 'made tombstones of deletes, and the task failed'
}

const REFUSED: readonly (readonly [name: string, remedy: string])[] = [
  ['add.fields', 'added fields of the change to documents; the sink stores only the row'],
  ['add.source.fields', 'added fields of the change to documents; the sink stores only the row'],
  ['add.headers', 'added headers; the sink stores only headers of the record itself'],
  ['route.by.field', 'chose topics by a field; the sink chooses containers by topic'],
  ['drop.fields.header.name', 'dropped the fields that a header names; use write.dropProperties']
]
