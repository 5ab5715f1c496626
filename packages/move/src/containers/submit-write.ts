import type { DeleteOperation, DocumentOperation, Fence, Outcome, Writer } from '@keystamp/cosmos'
import type { DocumentWrite, WriteAnswer } from './move-container.ts'
import { named } from './named-error.ts'

/** Submits one write of a move to the container with this name. Rejects if the writer stops, or if the fence is lost before the write is sent. */
export function submitWrite(
  writer: Pick<Writer, 'submit'>,
  write: DocumentWrite,
  name: string,
  fence?: Fence
): Promise<WriteAnswer> {
  return new Promise((resolve, reject) => {
    const onOutcome = (outcome: Outcome | Error): void => {
      if (outcome instanceof Error) reject(named(name, outcome))
      else resolve(toAnswer(outcome, write))
    }
    writer.submit(toOperation(write), onOutcome, fence)
  })
}

function toOperation(write: DocumentWrite): DocumentOperation | DeleteOperation {
  const condition = write.ifMatch === undefined ? {} : { ifMatch: write.ifMatch }
  if (write.kind === 'delete') {
    const { key, id } = write.identity
    return { kind: 'delete', key, id, ...condition }
  }
  return { kind: write.kind, stamped: write.document.stamped, ...condition }
}

function toAnswer(outcome: Outcome, { kind }: DocumentWrite): WriteAnswer {
  const { chargeRu } = outcome
  if (outcome.kind === 'written') return { kind: 'done', etag: outcome.etag, chargeRu }
  if (outcome.kind === 'unchanged') return { kind: 'done', etag: undefined, chargeRu }
  const { code, message, status } = outcome
  if (code === 'ALREADY_EXISTS') return { kind: 'exists', chargeRu }
  // 412 after a lost answer: the document may have been changed by this write, or by another one
  if (code === 'PRECONDITION_FAILED' || (code === 'OUTCOME_UNKNOWN' && status === 412))
    return { kind: 'changed', chargeRu }
  if (code === 'NOT_FOUND')
    return kind === 'delete' ? { kind: 'done', etag: undefined, chargeRu } : { kind: 'missing', chargeRu }
  return { kind: 'rejected', code, message, chargeRu }
}
