export interface CodeTable {
  readonly module: string
  /** The constant that holds the table. */
  readonly name: string
  readonly title: string
  readonly says: string
}

/** Where the codes stand, in the order of the page. */
export const CODE_TABLES: readonly CodeTable[] = [
  {
    module: '@keystamp/core',
    name: 'RECORD_CODES',
    title: 'Why a record gets no key',
    says: 'The record is rejected, the work goes on: `stamp` and `stampBytes` answer with `{ ok: false, code, path, message }`, and the streams ask `onError`.'
  },
  {
    module: '@keystamp/core',
    name: 'ERROR_CODES',
    title: 'What stops the work',
    says: 'Thrown as a `KeystampError` with a `code` and `retriable`.'
  },
  {
    module: '@keystamp/core',
    name: 'WARNING_CODES',
    title: 'What a plan may regret',
    says: 'Listed in `plan.warnings`, each with its place in the plan. Nothing is refused.'
  },
  {
    module: '@keystamp/cosmos',
    name: 'WRITE_CODES',
    title: 'Why a write is rejected',
    says: 'The outcome of one operation; the writer goes on. Being throttled is none of these: the writer waits and tries again.'
  },
  {
    module: '@keystamp/connector',
    name: 'SINK_CODES',
    title: 'Why the sink rejects a record by itself',
    says: 'Beside the codes of the key plan and of the writer, which it passes on. `rejects` says what becomes of the record: a copy with the code in its headers, nothing, or the end of the sink.'
  }
]
