import { KeystampError } from '@keystamp/core'
import { suggestField } from '@keystamp/stream'
import { type MaxRejected, parseMaxRejected } from '../max-rejected.ts'
import { countOf, countText } from '../progress/units.ts'
import { UsageError } from '../usage-error.ts'
import { openRejectFile, type RejectedLine } from './reject-file.ts'

/** What is to be done with rejected records. */
export interface RejectRules {
  readonly kind: 'throw' | 'skip' | 'collect'
  readonly file?: string
  /** Undefined means no limit. */
  readonly most: MaxRejected | undefined
}

/** What is done with rejected records. */
export interface RejectPolicy {
  /** Resolves when the record may count as settled; rejects when it ends the load. */
  readonly add: (rejected: RejectedLine, recordsRead: number) => Promise<void>
  /** Throws when the rejected records are more than the allowed percentage of all records. */
  readonly checkAtEnd: (recordsRead: number) => void
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
  readonly byCode: Readonly<Record<string, number>>
  /** Place and reason of the first record that was skipped. */
  readonly firstSkipped: () => string | undefined
}

export function parseRejectPolicy(onError: string, maxRejected: string | undefined): RejectRules {
  const most = maxRejected === undefined ? undefined : parseMaxRejected(maxRejected)
  if (onError === 'throw' || onError === 'skip') return { kind: onError, most }
  const file = /^collect:(.+)$/.exec(onError)?.[1]
  if (file === undefined) throw new UsageError(`--on-error takes throw, skip or collect:<file>, not "${onError}".`)
  return { kind: 'collect', file, most }
}

export async function createRejectPolicy({ kind, file, most }: RejectRules, isResumed: boolean): Promise<RejectPolicy> {
  const rejects = file === undefined ? undefined : await openRejectFile(file, isResumed)
  const byCode: Record<string, number> = {}
  let count = 0
  let last: RejectedLine | undefined
  let firstSkipped: string | undefined

  async function add(rejected: RejectedLine, recordsRead: number): Promise<void> {
    if (kind === 'throw') throw new KeystampError('RECORD_REJECTED', sentenceOf(rejected) + suggestionFor(rejected))
    count += 1
    last = rejected
    if (typeof most === 'number' || recordsRead >= MIN_RECORDS_FOR_PERCENTAGE) check(recordsRead)
    if (kind === 'skip') firstSkipped ??= sentenceOf(rejected) + suggestionFor(rejected)
    byCode[rejected.code] = (byCode[rejected.code] ?? 0) + 1
    await rejects?.add(rejected)
  }

  function check(recordsRead: number): void {
    if (most === undefined || last === undefined || !isOver(most, count, recordsRead)) return
    throw new KeystampError('REJECTED_TOO_MANY', `${excessOf(most, count, recordsRead)} The last: ${sentenceOf(last)}`)
  }

  return {
    add,
    checkAtEnd: check,
    sync: async () => rejects?.sync(),
    close: async () => rejects?.close(),
    byCode,
    firstSkipped: () => firstSkipped
  }
}

// a few rejected records at the very beginning say nothing about the share in the whole input
const MIN_RECORDS_FOR_PERCENTAGE = 1000

function isOver(most: MaxRejected, count: number, recordsRead: number): boolean {
  if (typeof most === 'number') return count > most
  return count * 100 > Number(most.slice(0, -1)) * recordsRead
}

function excessOf(most: MaxRejected, count: number, recordsRead: number): string {
  if (typeof most === 'number') return `More than ${countOf(most, 'record')} ${most === 1 ? 'was' : 'were'} rejected.`
  return `${countText(count)} of ${countOf(recordsRead, 'record')} ${count === 1 ? 'was' : 'were'} rejected; allowed were ${most}.`
}

function suggestionFor({ code, path, record }: RejectedLine): string {
  const meant = code === 'FIELD_MISSING' && path !== undefined ? suggestField(path, record) : undefined
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function sentenceOf({ input, line, index, message }: RejectedLine): string {
  const place = index === undefined ? `line ${line}` : `record ${index}`
  return `${input === '-' ? 'Standard input' : input}, ${place}: ${message}`
}
