import type { Stage } from './stage.ts'

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
