/** What surrounds a record: where in Kafka it came from. Everything is optional; a plan that needs what is not there rejects the record. */
export interface Source {
  readonly topic?: string
  readonly partition?: number
  readonly offset?: bigint | number | string
  /** Milliseconds since 1970, as Kafka gives them. */
  readonly timestamp?: bigint | number | string
  readonly key?: Uint8Array | string | null
  readonly headers?: Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>
}
