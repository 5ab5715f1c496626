import { KeystampError } from '@keystamp/core'
import type { RejectSettings } from '../config/settings.ts'
import type { SinkRecord } from '../record.ts'
import type { RejectSink } from './reject-sink.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Decides what becomes of rejected records: copied, skipped, or the end of the work. */
export interface RejectDesk {
  /** Calls back when the record may be settled, or with what stops the work. */
  readonly take: (record: SinkRecord, rejection: SinkRejection, done: (error?: Error) => void) => void
  /** One more record passed: it was not rejected. */
  readonly passed: () => void
  /** How many were rejected, by code. */
  readonly byCode: ReadonlyMap<string, number>
  /** How many in all. */
  readonly count: number
  readonly waitingFor: string | undefined
}

/** Counts how many of the last records were rejected: each record is told of once, when it is rejected or when it has passed. */
export interface Tolerance {
  readonly rejected: (code: string, message: string) => void
  readonly passed: () => void
  /** What to say when it is too much. */
  readonly exceeded: () => string | undefined
}

export interface RejectDeskOptions {
  readonly policy: RejectSettings['policy']
  /** Where copies go; demanded by the policy `copy`. */
  readonly sink: RejectSink | undefined
  readonly tolerance: Tolerance | undefined
  /** Codes that stop the work under every policy. */
  readonly stopsOn?: ReadonlySet<string>
  /** Told of each. */
  readonly onRejected?: (record: SinkRecord, rejection: SinkRejection) => void
}

/** A record is settled as rejected only after its copy is acknowledged, unless the policy is to skip it. */
export function createRejectDesk({ policy, sink, tolerance, stopsOn, onRejected }: RejectDeskOptions): RejectDesk {
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
      await sink!.send(record, rejection)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }

  return {
    take,
    passed: () => tolerance?.passed(),
    byCode,
    get count() {
      return count
    },
    get waitingFor() {
      return sink?.waitingFor
    }
  }
}

function stopped({ topic, partition, offset }: SinkRecord, { code, message }: SinkRejection): KeystampError {
  const where = `topic "${topic}", partition ${partition}, offset ${offset}`
  if (code === 'BATCH_TOO_LARGE') return new KeystampError('RECORD_REJECTED', `The batch at ${where} was refused (${code}): ${message}`)
  const what = 'To go on past such records, name a place for them under `rejects`, or say `rejects.policy: skip`.'
  return new KeystampError('RECORD_REJECTED', `The record at ${where} was rejected (${code}): ${message} ${what}`)
}
