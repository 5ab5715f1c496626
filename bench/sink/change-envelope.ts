/** Source of a change, with the fields that Debezium writes for PostgreSQL. */
export const SOURCE = {
  version: '3.0.5.Final',
  connector: 'postgresql',
  name: 'fleet',
  ts_ms: 1_559_033_904_863,
  snapshot: 'false',
  db: 'fleet',
  sequence: '["24023119","24023128"]',
  schema: 'public',
  table: 'vehicles',
  txId: 555,
  lsn: 24_023_128,
  xmin: null
}

/** Change of a row, as Debezium writes it in JSON. `before` and `after`: JSON of the row. */
export function envelopeOf(op: string, before: string, after: string): string {
  const times = '"ts_ms":1559033904961,"ts_us":1559033904961654,"ts_ns":1559033904961654000'
  return `{"before":${before},"after":${after},"source":${JSON.stringify(SOURCE)},"transaction":null,"op":"${op}",${times}}`
}
