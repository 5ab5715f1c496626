import { KeystampError } from '@keystamp/core'
import type { RejectSettings } from '../config/settings.ts'
import type { DeadLetterWriter } from './dead-letter-writer.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Applies the policy for rejected records: copies them, skips them, or stops the sink. */
export interface RejectionHandler {
  /** Calls back when the record may be settled, or with the error that stops the sink. */
  readonly take: (record: SinkRecord, rejection: SinkRejection, done: (error?: Error) => void) => void
  /** Counts a record that was not rejected. Undefined if the sink has no tolerance. */
  readonly passed: (() => void) | undefined
  /** Number of rejected records, by code. */
  readonly byCode: ReadonlyMap<string, number>
  /** Number of rejected records. */
  readonly count: number
  readonly waitingFor: string | undefined
}

/** Sliding window over the last records. Each record is reported once: when it is rejected or when it has passed. */
export interface Tolerance {
  readonly rejected: (code: string, message: string) => void
  readonly passed: () => void
  /** Returns the message once the limit is exceeded. */
  readonly exceeded: () => string | undefined
}

export interface RejectionHandlerOptions {
  readonly policy: RejectSettings['policy']
  /** Destination of copies; required by the policy `copy`. */
  readonly writer: DeadLetterWriter | undefined
  readonly tolerance: Tolerance | undefined
  /** Codes that stop the sink under every policy. */
  readonly stopsOn?: ReadonlySet<string>
  /** Called with each rejection. */
  readonly onRejected?: (record: SinkRecord, rejection: SinkRejection) => void
}

/** A record is settled as rejected only after its copy is acknowledged, unless the policy is to skip it. */
export function createRejectionHandler({
  policy,
  writer,
  tolerance,
  stopsOn,
  onRejected
}: RejectionHandlerOptions): RejectionHandler {
  const byCode = new Map<string, number>()
  let count = 0

  function take(record: SinkRecord, rejection: SinkRejection, done: (error?: Error) => void): void {
    count++
    byCode.set(rejection.code, (byCode.get(rejection.code) ?? 0) + 1)
    if (policy === 'stop' || stopsOn?.has(rejection.code) === true) return done(stopped(record, rejection))
    onRejected?.(record, rejection)
    tolerance?.rejected(rejection.code, rejection.message)
    const tooMany = tolerance?.exceeded()
    if (tooMany !== undefined) return done(new KeystampError('TOLERANCE_EXCEEDED', tooMany))
    if (policy === 'skip') return done()
    void copy(record, rejection, done)
  }

  async function copy(record: SinkRecord, rejection: SinkRejection, done: (error?: Error) => void): Promise<void> {
    try {
      await writer!.send(record, rejection)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }

  return {
    take,
    passed: tolerance?.passed,
    byCode,
    get count() {
      return count
    },
    get waitingFor() {
      return writer?.waitingFor
    }
  }
}

function stopped({ topic, partition, offset }: SinkRecord, { code, message }: SinkRejection): KeystampError {
  const where = `topic "${topic}", partition ${partition}, offset ${offset}`
  if (code === 'BATCH_TOO_LARGE')
    return new KeystampError('RECORD_REJECTED', `The batch at ${where} was refused (${code}): ${message}`)
  const what =
    'To continue past such records, configure a dead-letter topic or file under `rejects`, or `rejects.policy: skip`.'
  return new KeystampError('RECORD_REJECTED', `The record at ${where} was rejected (${code}): ${message} ${what}`)
}

/**
 * Watches the last `window` records and reports when more than `percent` of them were rejected. Before `window` records
 * have been counted, the missing ones count as passed.
 */
export function createTolerance({ percent, window }: NonNullable<RejectSettings['tolerance']>): Tolerance {
  const allowed = Math.floor((window * percent) / 100)
  // ring buffer: 0 for a record that passed, otherwise the index of its reason plus 1
  const last = new Uint8Array(window)
  const reasons: Reason[] = []
  let next = 0
  let count = 0

  function add(reason: number): void {
    const leaving = last[next]
    if (leaving > 0) {
      reasons[leaving - 1].count--
      count--
    }
    last[next] = reason
    next = next + 1 === window ? 0 : next + 1
  }

  function rejected(code: string, message: string): void {
    let index = reasons.findIndex((reason) => reason.code === code)
    if (index < 0) index = reasons.push({ code, message, count: 0 }) - 1
    add(index + 1)
    reasons[index].count++
    count++
  }

  function exceeded(): string | undefined {
    if (count <= allowed) return undefined
    const most = reasons.filter((reason) => reason.count > 0).toSorted((one, other) => other.count - one.count)
    const named = most
      .slice(0, MAX_REASONS)
      .map((reason) => `  ${reason.count} x ${reason.code}, the first: ${reason.message}`)
    const others = most.length > MAX_REASONS ? [`  and ${most.length - MAX_REASONS} other reasons`] : []
    return [
      `${count} of the last ${window} records were rejected; ${allowed} are tolerated (${percent} %):`,
      ...named,
      ...others
    ].join('\n')
  }

  return { rejected, passed: () => add(0), exceeded }
}

interface Reason {
  readonly code: string
  /** The message of the first record that was rejected for this reason. */
  readonly message: string
  count: number
}

const MAX_REASONS = 5
