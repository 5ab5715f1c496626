import type { Fence } from '@keystamp/cosmos'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import type { Answer, Target } from '../../src/write/target.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Container that all sinks of a simulation write into. */
export class SimulatedContainer {
  /** Offset of the record that was written last, by document. */
  readonly documents: Map<string, number> = new Map()
  /** Offsets that were applied, by partition. */
  readonly applied: Map<number, Set<number>> = new Map()
  readonly #clock: VirtualClock
  readonly #random: () => number
  readonly maxMs: number
  /** Called for each write before it is applied. */
  onApply: (record: SinkRecord) => void = () => undefined

  constructor(clock: VirtualClock, random: () => number, maxMs: number) {
    this.#clock = clock
    this.#random = random
    this.maxMs = maxMs
  }

  /**
   * Creates the writer of a sink. It applies one operation for each document at a time, in order, and none without a
   * write permit.
   */
  createTarget(isAlive: () => boolean, maySend: () => boolean, fingerprint: string = 'plan-1'): Target {
    const queues = new Map<string, (() => void)[]>()
    const send = (record: SinkRecord, fence: Fence, settle: (answer: Answer) => void): void => {
      const key = Buffer.from(record.key!).toString()
      const leave = (): void => {
        const queue = queues.get(key)!
        queue.shift()
        if (queue.length === 0) queues.delete(key)
        else queue[0]()
      }
      if (fence.isLost || !isAlive()) {
        leave()
        if (isAlive()) settle(new Error('fenced'))
        return
      }
      if (!maySend()) return void this.#clock.schedule(1, () => send(record, fence, settle))
      this.#clock.schedule(this.#random() * this.maxMs, () => {
        this.apply(record)
        leave()
        if (isAlive()) settle({ kind: 'written', status: 201, chargeRu: 1, etag: undefined, isSuperseded: false })
      })
    }
    return {
      container: 'things',
      fingerprint,
      previousFingerprints: [],
      warnings: [],
      map: (record) => (isPoison(record) ? POISON : { kind: 'upsert', record: { record } }),
      submit: (operation, fence, settle) => {
        const { record } = (operation as { readonly record: { readonly record: SinkRecord } }).record
        const key = Buffer.from(record.key!).toString()
        const queue = queues.get(key) ?? []
        queues.set(key, queue)
        const run = (): void => send(record, fence, settle)
        if (queue.push(run) === 1) run()
      },
      submitAtomic: () => undefined,
      usePart: () => undefined,
      waits: [],
      stats: () => ({}) as never,
      close: () => Promise.resolve()
    }
  }

  apply(record: SinkRecord): void {
    const { key, partition, offset } = record
    this.onApply(record)
    this.documents.set(Buffer.from(key!).toString(), offset)
    this.#appliedOf(partition).add(offset)
  }

  reject({ partition, offset }: SinkRecord): void {
    this.#appliedOf(partition).add(offset)
  }

  #appliedOf(partition: number): Set<number> {
    let applied = this.applied.get(partition)
    if (applied === undefined) this.applied.set(partition, (applied = new Set()))
    return applied
  }
}

const POISON: SinkRejection = {
  ok: false,
  stage: 'map',
  code: 'FIELD_MISSING',
  message: 'A field is missing.',
  path: '/x'
}

export function isPoison({ value }: SinkRecord): boolean {
  return value !== null && Buffer.from(value).toString() === 'poison'
}
