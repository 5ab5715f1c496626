import { createRejectionHandler } from '../../src/dead-letter/rejection-handler.ts'
import { Partitions, type PartitionsOptions } from '../../src/partition/partitions.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { decoderOf } from './worker/begin.ts'

/** Creates partitions with a consumer and a container that do nothing. `changes` replace parts for a test. */
export function createPartitions(changes: Partial<PartitionsOptions>): Partitions {
  return new Partitions({
    consumer: { ends: () => Promise.resolve(new Map()), pause: () => undefined, resume: () => undefined },
    clock: new VirtualClock(),
    decoder: decoderOf(() => undefined),
    targetOf: () => ({ map: () => ({ kind: 'delete', id: 'x', key: 'x' }), submit: () => undefined }) as never,
    rejects: createRejectionHandler({ policy: 'skip', writer: undefined, tolerance: undefined }),
    isAtomic: false,
    counts: { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, redelivered: 0, pauses: 0 },
    maxBytes: 10_000,
    onBegun: () => undefined,
    onSettled: () => undefined,
    fail: () => undefined,
    ...changes
  })
}
