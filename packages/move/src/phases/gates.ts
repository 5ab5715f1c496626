import type { CopyStatus } from '../copy/move-copy.ts'
import type { ComparedEntry } from '../journal/journal.ts'

/** A condition of the switch, or of the way back. */
export interface Gate {
  readonly name: 'copied' | 'lag' | 'compared' | 'rejected'
  readonly isMet: boolean
  /** Sentence with the figures. */
  readonly reason: string
}

export interface GateLimits {
  /** Maximum lag of the copy. */
  readonly maxLagSeconds: number
  /** Age of the last comparison. */
  readonly maxComparisonSeconds: number
}

export interface GateFacts {
  readonly copy: Pick<CopyStatus, 'isCopied' | 'caughtUpMs'>
  readonly compared: ComparedEntry | undefined
  /** Documents that cannot be copied. */
  readonly rejected: number
  readonly nowMs: number
}

export const DEFAULT_GATES: GateLimits = { maxLagSeconds: 10, maxComparisonSeconds: 24 * 3600 }

/** Checks all conditions. */
export function checkGates({ copy, compared, rejected, nowMs }: GateFacts, limits: GateLimits): readonly Gate[] {
  const { maxLagSeconds, maxComparisonSeconds } = limits
  const lag = lagSeconds(copy, nowMs)
  const age = compared === undefined ? undefined : (nowMs - Date.parse(compared.at)) / 1000
  return [
    {
      name: 'copied',
      isMet: copy.isCopied,
      reason: copy.isCopied ? 'All documents were copied once.' : 'Not all documents are copied yet.'
    },
    {
      name: 'lag',
      isMet: lag !== undefined && lag <= maxLagSeconds,
      reason:
        lag === undefined
          ? 'The lag of the copy is not known.'
          : `The lag of the copy is ${lag.toFixed(1)} s; at most ${maxLagSeconds} s are allowed.`
    },
    {
      name: 'compared',
      isMet: compared?.isEqual === true && age! <= maxComparisonSeconds,
      reason: comparisonReason(compared, age, maxComparisonSeconds)
    },
    {
      name: 'rejected',
      isMet: rejected === 0,
      reason:
        rejected === 0
          ? 'No document was rejected.'
          : `${rejected} ${rejected === 1 ? 'document' : 'documents'} cannot be copied: see the file of rejected documents.`
    }
  ]
}

/** Lag of the copy in seconds; undefined if it is not known. */
export function lagSeconds({ caughtUpMs }: Pick<CopyStatus, 'caughtUpMs'>, nowMs: number): number | undefined {
  return caughtUpMs <= 0 ? undefined : Math.max(0, (nowMs - caughtUpMs) / 1000)
}

function comparisonReason(
  compared: ComparedEntry | undefined,
  age: number | undefined,
  maxComparisonSeconds: number
): string {
  if (compared === undefined) return 'The containers were not compared yet.'
  const when = `The last comparison, at ${compared.at},`
  const { isEqual, differences, ofOthers = 0 } = compared
  const count = `${differences} ${differences === 1 ? 'difference' : 'differences'}`
  if (!isEqual) return `${when} found ${count}.${ofOthers === 0 ? '' : ` ${othersSentence(ofOthers)}`}`
  if (age! > maxComparisonSeconds) return `${when} is older than ${maxComparisonSeconds} s.`
  return differences === 0 ? `${when} found no difference.` : `${when} found ${count}; none is left.`
}

/** Advice about differences of documents that others have written in the container that is not in charge. */
export function othersSentence(count: number): string {
  const what = count === 1 ? 'One of these documents was' : `${count} of these documents were`
  return `${what} written by other programs in the container that is not in charge: end these programs, find the documents with \`keystamp verify\`, write the right ones to the container in charge and delete the others in the other one, then run \`keystamp rekey compare\`.`
}
