import type { Counts } from './counts.ts'
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
