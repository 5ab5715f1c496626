import type { Counts } from '../counts.ts'
import type { Driven } from './create-transform.ts'

/** A stage without streams: a function of a chunk. */
export interface Stage<In, Out> extends StageHandle<Out> {
  /** What the chunk gives; undefined for nothing. */
  (chunk: In): Out | undefined
}

/** What a stage can be asked beside the stamping. */
export interface StageHandle<Out> {
  /** Behind the last chunk: what is left; undefined for nothing. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

export function createStage<In, Out>({ push, finish, counts }: Driven): Stage<In, Out> {
  const stage = push as (chunk: In) => Out | undefined
  return Object.assign((chunk: In): Out | undefined => stage(chunk), { end: finish as () => Out | undefined, counts })
}

// the marks by which stream-chain knows a function that wants to be called at the end, and an answer that is none
const FLUSH = Symbol.for('object-stream.flush')
const NONE: unique symbol = Symbol.for('object-stream.none') as never

/** A stage as a function for a stream-chain: it is told of the end, and what is rejected does not reach the next function. */
export function toChainFunction<In, Out>(stage: Stage<In, Out>): (chunk: In) => Out {
  const answer = (chunk: In): Out => (isNone(chunk) ? stage.end() : stage(chunk)) ?? (NONE as Out)
  return Object.assign(answer, { [FLUSH]: 1 })
}

function isNone(chunk: unknown): boolean {
  return chunk === NONE
}

// the global type is that of browsers where a program has their library, and Node's where it has not: it fits the streams beside it
/** A stage as a Web TransformStream. Each chunk costs about 2 microseconds there: hand over large pieces, or arrays of records. */
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
