import { TransformStream } from 'node:stream/web'
import type { Stage } from './stage.ts'

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
