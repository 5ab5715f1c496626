import { KeystampError, type StampedBytes } from '@keystamp/core'
import type { DocumentSource, Operation } from './operation.ts'

/** Strategy for each record of a stream, with the names of other sinks. */
export type WriteStrategy = (typeof STRATEGIES)[number]

export const STRATEGIES: readonly ['overwrite', 'append', 'delete', 'deleteIfNotModified', 'overwriteIfNotModified'] = [
  'overwrite',
  'append',
  'delete',
  'deleteIfNotModified',
  'overwriteIfNotModified'
]

/** The operation that a strategy makes of a record. The two strategies with `IfNotModified` read the record's `_etag`. */
export function operationFor(strategy: WriteStrategy, document: DocumentSource): Operation {
  switch (strategy) {
    case 'overwrite':
      return { ...document, kind: 'upsert' }
    case 'append':
      return { ...document, kind: 'create', ignore: [409] }
    case 'delete':
      return { ...document, kind: 'delete', ignore: [404] }
    case 'deleteIfNotModified':
      return { ...document, kind: 'delete', ignore: [404, 412], ifMatch: conditionOf(document).ifMatch ?? NO_ETAG }
    case 'overwriteIfNotModified': {
      const condition = conditionOf(document)
      if (condition.ifMatch === undefined) return { ...document, kind: 'create', ignore: [409] }
      return { ...document, kind: 'replace', ignore: [404, 409, 412], ...condition }
    }
    default:
      throw new KeystampError('OPTION_INVALID', `The strategy must be ${STRATEGIES.join(', ')}.`)
  }
}

/** The writer rejects an operation with an empty ETag: without one, a delete would be unconditional. */
const NO_ETAG = ''

function conditionOf(document: DocumentSource): { readonly ifMatch?: string } {
  const etag = etagOf(document)
  return typeof etag === 'string' && etag !== '' ? { ifMatch: etag } : {}
}

function etagOf({ record, bytes, stamped }: DocumentSource): unknown {
  if (record !== undefined) return (record as Record<string, unknown>)['_etag']
  if (stamped !== undefined) return etagIn(stamped)
  // bytes whose properties were not indexed by a plan: rare enough to be parsed
  return bytes === undefined ? undefined : etagOfText(Buffer.from(bytes).toString())
}

function etagIn({ members, bytes }: StampedBytes): unknown {
  const member = members.find('_etag')
  if (member < 0) return undefined
  return JSON.parse(Buffer.from(bytes.subarray(members.valueStart(member), members.valueEnd(member))).toString())
}

function etagOfText(text: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.['_etag']
  } catch {
    // invalid JSON is rejected when it is written
    return undefined
  }
}
