import { type DocumentSource, type Operation, operationFor, type WriteStrategy } from '@keystamp/cosmos'

/** Makes the operation that a strategy asks for of each record. */
export function operationMaker(strategy: WriteStrategy): (source: DocumentSource) => Operation {
  // by far the most loads, and a record a few microseconds: nothing is copied for it
  return strategy === 'overwrite' ? overwrite : (source) => operationFor(strategy, source)
}

function overwrite({ stamped, bytes }: DocumentSource): Operation {
  return stamped === undefined ? { kind: 'upsert', bytes: bytes! } : { kind: 'upsert', stamped }
}
