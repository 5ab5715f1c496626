/** Promise of the articles, and the answer of Keystamp to it. */
export interface Row {
  readonly id: string
  /** Statement of the article, in a sentence. */
  readonly says: string
  /** Answer of Keystamp, once all of it is built. */
  readonly keystamp: string
  readonly state: State
  /** The part that is not built yet; undefined only where the row is built. */
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
