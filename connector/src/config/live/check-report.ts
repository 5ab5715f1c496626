/** What a look at the real parts has shown; nothing was written, and no group was joined but one of the check's own. */
export interface CheckReport {
  /** Whether the sinks can be started. */
  readonly ok: boolean
  readonly sinks: readonly SinkReport[]
}

/** What was found out about one sink. */
export interface SinkReport {
  readonly name: string
  readonly findings: readonly Finding[]
  /** What would become of one record of each topic. */
  readonly samples: readonly Sample[]
}

/** One thing that was looked at. */
export interface Finding {
  readonly of: 'topics' | 'codecs' | 'group' | 'registry' | 'container' | 'rejects' | 'sample'
  readonly state: 'ok' | 'warning' | 'failed'
  /** A sentence. */
  readonly message: string
}

/** One record, and what would become of it. */
export interface Sample {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  /** It is the next one that the group would read; else the group has read it. */
  readonly isNext: boolean
  readonly becomes: SampleOutcome
  /** The document that would be stored, or the steps of a patch, as JSON; only where values were asked for. */
  readonly document?: string
  /** The value of a record that would not be stored, as text, or as base64 where it is none; only where values were asked for. */
  readonly value?: string
}

/** What would become of a record. */
export type SampleOutcome =
  | {
      readonly kind: 'stored'
      readonly container: string
      readonly operation: string
      /** One value a level. */
      readonly key: readonly unknown[]
      readonly id: string | undefined
    }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'rejected'; readonly stage: string; readonly code: string; readonly message: string }
