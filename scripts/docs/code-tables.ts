export interface CodeTable {
  readonly module: string
  /** The constant that holds the table. */
  readonly name: string
  readonly title: string
  readonly says: string
}

/** Tables of codes, in the order of the page. */
export const CODE_TABLES: readonly CodeTable[] = [
  {
    module: '@keystamp/core',
    name: 'RECORD_CODES',
    title: 'Rejected records',
    says: 'The record gets no key, and the work continues: `stamp` and `stampBytes` return `{ ok: false, code, path, message }`, and the streams follow `onError`.'
  },
  {
    module: '@keystamp/core',
    name: 'ERROR_CODES',
    title: 'Errors',
    says: 'Thrown as a `KeystampError` with a `code` and `retriable`.'
  },
  {
    module: '@keystamp/core',
    name: 'WARNING_CODES',
    title: 'Plan warnings',
    says: 'Listed in `plan.warnings`, each with its path in the plan. The plan is valid.'
  },
  {
    module: '@keystamp/cosmos',
    name: 'WRITE_CODES',
    title: 'Rejected writes',
    says: 'The outcome of one operation; the writer continues. Throttled operations are not rejected: the writer waits and retries.'
  },
  {
    module: '@keystamp/connector',
    name: 'SINK_CODES',
    title: 'Records rejected by the sink',
    says: 'The sink also passes on the codes of the key plan and of the writer. `rejects` decides what happens: the record is copied with the code in its headers, or left out, or the sink stops.'
  },
  {
    module: '@keystamp/connector',
    name: 'REPLAY_CODES',
    title: 'Dead letters that are not replayed',
    says: '`keystamp replay` counts them by code, and leaves them for a later replay.'
  }
]
