/**
 * What a translation has to say of a key. `refused`: the documents would be others, somebody has to act first. `changed`: works, and not as before.
 * `needless`: there is nothing to do.
 */
export interface Note {
  readonly kind: 'refused' | 'changed' | 'needless'
  /** The key of Kafka Connect; empty for the whole. */
  readonly key: string
  /** What to do, or why nothing is. */
  readonly message: string
}

/** A configuration of ours as it grows, and what is said of it. */
export interface Draft {
  name: string
  kafka: {
    brokers?: readonly string[]
    topics?: readonly string[]
    topicPattern?: string
    group?: string
    [key: string]: unknown
  }
  key?: string
  value?: string
  registry?: Record<string, string>
  numbers?: Record<string, string>
  cosmos: Record<string, unknown>
  id?: Record<string, string>
  write: Record<string, unknown>
  rejects?: Record<string, unknown>
}

export interface Translating {
  readonly draft: Draft
  readonly refuse: (key: string, message: string) => void
  readonly change: (key: string, message: string) => void
  readonly needless: (key: string, message: string) => void
}
