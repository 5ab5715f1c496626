import type { Stage } from './stage.ts'

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
