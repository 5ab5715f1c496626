import { isSameDocument } from '../dispatch/document-order.ts'
import { type Rejected, rejected, WRITE_CODES } from '../dispatch/outcome.ts'
import { PendingOperation } from '../dispatch/pending-operation.ts'
import type { DeleteOperation, DocumentOperation } from './operation.ts'
import { type Preparation, prepare } from './prepare.ts'

/**
 * Prepares the delete of the document before the change (`before`). Returns undefined if the upsert stores the same
 * document.
 */
export function prepareOldDocument(
  preparation: Preparation,
  { before, ifMatch }: DocumentOperation,
  upsert: PendingOperation
): PendingOperation | Rejected | undefined {
  if (!isName(before)) return invalid(BEFORE_FORM)
  // a repeated upsert would be refused, and the old document would stay
  if (ifMatch !== undefined) return invalid('`before` and `ifMatch` cannot be used together.')
  const old = prepare(preparation, { ...before, kind: 'delete', ...positionOf(upsert) }, nothing)
  if (old instanceof PendingOperation) return isSameDocument(old, upsert) ? undefined : old
  const { code, message, path } = old
  if (code === 'OPERATION_INVALID') return { ...old, message: `\`before\`: ${message}` }
  const text = `${WRITE_CODES.BEFORE_INVALID.sentence} ${message}`
  return { ...(rejected('BEFORE_INVALID', {}, text) as Rejected), path }
}

/** The delete has the position of the change, and not that of the document before the change. */
function positionOf({ newest }: PendingOperation): Pick<DeleteOperation, 'position'> {
  if (newest === undefined) return {}
  const { value, place } = newest.position
  return { position: { ...(value === undefined ? {} : { value }), ...(place === undefined ? {} : { place }) } }
}

// not every caller has types
function isName(before: DocumentOperation['before']): boolean {
  return typeof before === 'object' && before !== null && Object.keys(before).every((name) => NAMES.has(name))
}

const NAMES: ReadonlySet<string> = new Set(['record', 'bytes', 'stamped', 'source', 'key', 'id'])
const BEFORE_FORM = '`before` names the document before the change, such as { key, id }, { record } or { bytes }.'

function invalid(sentence: string): Rejected {
  return rejected('OPERATION_INVALID', {}, sentence) as Rejected
}

function nothing(): void {
  // the outcome is part of that of the upsert
}
