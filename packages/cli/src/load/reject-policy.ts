import { KeystampError } from '@keystamp/core'
import { suggestField } from '@keystamp/stream'
import { countOf } from '../progress/units.ts'
import { toCount } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'
import { openRejectFile, type RejectedLine } from './reject-file.ts'

/** What is to be done with rejected records. */
export interface RejectRules {
  readonly kind: 'throw' | 'skip' | 'collect'
  readonly file?: string
  readonly most: number
}

/** What is done with rejected records. */
export interface RejectPolicy {
  /** Resolves when the record may count as settled; rejects when it ends the load. */
  readonly add: (rejected: RejectedLine) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
  readonly byCode: Readonly<Record<string, number>>
  /** Place and reason of the first record that was skipped. */
  readonly firstSkipped: () => string | undefined
}

export function parseRejectPolicy(onError: string, maxRejected: string | undefined): RejectRules {
  const most = maxRejected === undefined ? Number.POSITIVE_INFINITY : toCount('--max-rejected', maxRejected, 12)
  if (onError === 'throw' || onError === 'skip') return { kind: onError, most }
  const file = /^collect:(.+)$/.exec(onError)?.[1]
  if (file === undefined) throw new UsageError(`--on-error takes throw, skip or collect:<file>, not "${onError}".`)
  return { kind: 'collect', file, most }
}

export async function createRejectPolicy({ kind, file, most }: RejectRules, isResumed: boolean): Promise<RejectPolicy> {
  const rejects = file === undefined ? undefined : await openRejectFile(file, isResumed)
  const byCode: Record<string, number> = {}
  let count = 0
  let firstSkipped: string | undefined

  async function add(rejected: RejectedLine): Promise<void> {
    if (kind === 'throw') throw new KeystampError('RECORD_REJECTED', sentenceOf(rejected) + suggestionFor(rejected))
    count += 1
    if (count > most) {
      throw new KeystampError(
        'REJECTED_TOO_MANY',
        `More than ${countOf(most, 'record')} ${most === 1 ? 'was' : 'were'} rejected. The last: ${sentenceOf(rejected)}`
      )
    }
    if (kind === 'skip') firstSkipped ??= sentenceOf(rejected) + suggestionFor(rejected)
    byCode[rejected.code] = (byCode[rejected.code] ?? 0) + 1
    await rejects?.add(rejected)
  }

  return { add, sync: async () => rejects?.sync(), close: async () => rejects?.close(), byCode, firstSkipped: () => firstSkipped }
}

function suggestionFor({ code, path, record }: RejectedLine): string {
  const meant = code === 'FIELD_MISSING' && path !== undefined ? suggestField(path, record) : undefined
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function sentenceOf({ input, line, index, message }: RejectedLine): string {
  const place = index === undefined ? `line ${line}` : `record ${index}`
  return `${input === '-' ? 'Standard input' : input}, ${place}: ${message}`
}
