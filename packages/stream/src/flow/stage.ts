import type { Counts } from '../counts.ts'
import type { Driven } from './create-transform.ts'

/** A stage without a stream: a function of a chunk. */
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

export function createStage<In, Out>({ push, finish, counts }: Driven): Stage<In, Out> {
  const stage = push as (chunk: In) => Out | undefined
  return Object.assign((chunk: In): Out | undefined => stage(chunk), { end: finish as () => Out | undefined, counts })
}

// stream-chain recognizes by these symbols a function that has to be called at the end, and an empty result
const FLUSH = Symbol.for('object-stream.flush')
const NONE: unique symbol = Symbol.for('object-stream.none') as never

/** Adapts a stage to stream-chain: it is called at the end, and rejected records do not reach the next function. */
export function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out {
  const answer = (chunk: In): Out => (isNone(chunk) ? stage.end() : stage(chunk)) ?? (NONE as Out)
  return Object.assign(answer, { [FLUSH]: 1 })
}

function isNone(chunk: unknown): boolean {
  return chunk === NONE
}

// the global type is that of browsers where a program includes their library, and Node's otherwise: it fits the streams
// that the program uses
/**
 * Adapts a stage to a Web TransformStream. Each chunk costs about 2 microseconds there: pass large chunks, or arrays of
 * records.
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
