import type { Counts } from './counts.ts'
import type { Driven } from './create-transform.ts'

/** A stage without streams: a function of a chunk. A stream-chain takes it as it is. */
export interface Stage<In, Out> {
  /** What the chunk gives; undefined for nothing. */
  (chunk: In): Out | undefined
  /** Behind the last chunk: what is left; undefined for nothing. */
  readonly end: () => Out | undefined
  readonly counts: Readonly<Counts>
}

// the marks by which stream-chain knows a function that wants to be called at the end
const FLUSH = Symbol.for('object-stream.flush')
const NONE = Symbol.for('object-stream.none')

export function createStage<In, Out>(driven: Driven): Stage<In, Out> {
  const end = driven.finish as () => Out | undefined
  const push = driven.push as (chunk: In) => Out | undefined
  const stage = (chunk: In): Out | undefined => (chunk === NONE ? end() : push(chunk))
  return Object.assign(stage, { end, counts: driven.counts, [FLUSH]: 1 })
}
