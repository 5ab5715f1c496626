import type { Counts } from '../counts.ts'
import type { SyncStage } from './create-transform.ts'

/** A stage without a stream: a function that takes a chunk. */
export interface Stage<In, Out> extends StageHandle<Out> {
  /** Returns the output for the chunk; undefined for none. */
  (chunk: In): Out | undefined
}

/** Methods of a stage in addition to stamping. */
export interface StageHandle<Out> {
  /** Returns the remaining output after the last chunk; undefined for none. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

export function createStage<In, Out>({ push, finish, counts }: SyncStage): Stage<In, Out> {
  const stage = push as (chunk: In) => Out | undefined
  return Object.assign((chunk: In): Out | undefined => stage(chunk), { end: finish as () => Out | undefined, counts })
}

// stream-chain calls a function at the end if the function has the property FLUSH; NONE stands for an empty result
const FLUSH = Symbol.for('object-stream.flush')
const NONE: unique symbol = Symbol.for('object-stream.none') as never

/**
 * Adapts a stage to stream-chain, which then calls it at the end, too. Rejected records do not reach the next function.
 */
export function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out {
  const answer = (chunk: In): Out => (isNone(chunk) ? stage.end() : stage(chunk)) ?? (NONE as Out)
  return Object.assign(answer, { [FLUSH]: 1 })
}

function isNone(chunk: unknown): boolean {
  return chunk === NONE
}

// The global type `TransformStream` is that of browsers if a program includes the library `dom`, and that of Node
// otherwise. So it fits the other streams of the program.
/**
 * Adapts a stage to a Web TransformStream. A Web stream costs about 2 microseconds for each chunk: pass large chunks,
 * or arrays of records.
 */
export function toWebTransform<In, Out>(stage: Stage<In, Out>): TransformStream<In, Out> {
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => {
      const made = stage(chunk)
      if (made !== undefined) controller.enqueue(made)
    },
    flush: (controller) => {
      const made = stage.end()
      if (made !== undefined) controller.enqueue(made)
    }
  })
}
