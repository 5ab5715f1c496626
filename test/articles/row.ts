/** One thing the articles say, and what Keystamp makes of it. */
export interface Row {
  readonly id: string
  /** What the article says, in a sentence. */
  readonly says: string
  /** What Keystamp does for it, once it is all there. */
  readonly keystamp: string
  readonly state: State
  /** What is still to come; none only where the row is built. */
  readonly missing?: string
  /** Runs what exists and shows what went in and what came out; none only where nothing is built. */
  readonly show?: () => Promise<readonly Shown[]>
}

/** How much of a row works today. */
export type State = 'built' | 'partly' | 'not built'

export interface Shown {
  readonly input: string
  readonly output: string
}
