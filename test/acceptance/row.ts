/** A statement of the articles, and how Keystamp covers it. */
export interface Row {
  readonly id: string
  /** Statement of the article, in a sentence. */
  readonly says: string
  /** How Keystamp covers the statement, once all of it is built. */
  readonly keystamp: string
  readonly state: State
  /** The part that is not built yet; undefined only if the row is built. */
  readonly missing?: string
  /** Runs an example, and returns its inputs and outputs; undefined only if nothing is built. */
  readonly show?: () => Promise<readonly Shown[]>
}

/** How much of a row works today. */
export type State = 'built' | 'partly' | 'not built'

export interface Shown {
  readonly input: string
  readonly output: string
}
