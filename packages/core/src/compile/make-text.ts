import type { Rejection } from '../errors/rejection.ts'
import type { FieldValue } from '../plan/compiled.ts'
import type { Source } from '../plan/source.ts'

/** Makes one component's text, as it stands in the key. */
export type MakeText = (values: readonly FieldValue[], source: Source | undefined, id: string | undefined) => string | Rejection
