import { KeystampError } from '@keystamp/core'
import type { Counts } from '../flow/counts.ts'
import type { Refusal } from '../key/key-stamper.ts'
import { describePlace } from './describe-place.ts'
import { RecordRejectedError } from './record-rejected-error.ts'
import type { RejectOptions } from './reject-options.ts'
import type { Place, Rejected } from './rejected.ts'
import { suggestField } from './suggest-field.ts'
import { createRejectionCap } from './rejection-cap.ts'

/** Deals with the records that get no key, as the options say; throws where the work shall stop. */
export interface Rejector<R> {
  readonly reject: (refusal: Refusal, place: Place, record: () => R) => void
  /** Called once, behind the last record. */
  readonly finish: () => void
}

export function createRejector<R>(options: RejectOptions<R>, counts: Counts): Rejector<R> {
  const { onError = 'throw', maxRejected } = options
  if (onError !== 'throw' && onError !== 'skip' && typeof onError !== 'function') {
    throw new KeystampError('OPTION_INVALID', '`onError` must be "throw", "skip", { collect: a writable stream } or a function.')
  }
  const cap = createRejectionCap(maxRejected, counts)
  return { reject, finish: cap.checkAtEnd }

  function reject(refusal: Refusal, place: Place, record: () => R): void {
    counts.rejected++
    counts.byCode[refusal.code] = (counts.byCode[refusal.code] ?? 0) + 1
    const message = `${describePlace(place)}: ${refusal.message}`
    if (onError === 'throw') throw new RecordRejectedError(explained(toRejected(refusal, place, message, record())))
    if (onError !== 'skip') onError(toRejected(refusal, place, message, record()))
    else counts.firstSkipped ??= explained(toRejected(refusal, place, message, record())).message
    cap.check(message)
  }
}

/** Looks at the record itself, and so is called only for one that stops the work, and for the first that is skipped. */
function explained<R>(rejected: Rejected<R>): Rejected<R> {
  const meant = rejected.code === 'FIELD_MISSING' ? suggestField(rejected.path, rejected.record) : undefined
  return meant === undefined ? rejected : { ...rejected, message: `${rejected.message} Did you mean ${meant}?` }
}

function toRejected<R>(refusal: Refusal, place: Place, message: string, record: R): Rejected<R> {
  const { code, path, cause } = refusal
  return { ...place, code, path, message, record, ...(cause === undefined ? {} : { cause }) }
}
