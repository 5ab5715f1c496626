/** One change, as Debezium's connectors write it, and the row that it is about. */
export interface GoldenChange {
  readonly database: 'PostgreSQL' | 'MySQL' | 'MongoDB'
  readonly title: string
  /** Kafka key; null if the change has none. */
  readonly key: object | null
  /** Value without `schema` and `payload`. */
  readonly envelope: Readonly<Record<string, unknown>>
  readonly after: object | undefined
  readonly before: object | undefined
}

const ROW = { id: 1, first_name: 'Anne', last_name: 'Miller', email: 'anne@example.org' }
const RENAMED = { ...ROW, first_name: 'Anne Marie' }

const POSTGRES = {
  version: '3.0.5.Final',
  connector: 'postgresql',
  name: 'PostgreSQL_server',
  ts_ms: 1_559_033_904_863,
  snapshot: 'false',
  db: 'postgres',
  sequence: '["24023119","24023128"]',
  schema: 'public',
  table: 'customers',
  txId: 555,
  lsn: 24_023_128,
  xmin: null
}

const MYSQL = {
  version: '3.0.5.Final',
  connector: 'mysql',
  name: 'mysql-server-1',
  ts_ms: 1_465_491_411_000,
  snapshot: 'false',
  db: 'inventory',
  sequence: null,
  table: 'customers',
  server_id: 223_344,
  gtid: null,
  file: 'mysql-bin.000003',
  pos: 484,
  row: 0,
  thread: 7,
  query: 'UPDATE customers SET first_name="Anne Marie", op=":" WHERE id=1'
}

const MONGODB = {
  version: '3.0.5.Final',
  connector: 'mongodb',
  name: 'fulfillment',
  ts_ms: 1_558_965_508_000,
  snapshot: 'false',
  db: 'inventory',
  sequence: null,
  collection: 'customers',
  ord: 31,
  lsid: null,
  txnNumber: null
}

const DOCUMENT = {
  _id: { $oid: '596e275826f08b2730779e1f' },
  first_name: 'Anne',
  note: 'a "quoted" \\ word, é and 😀',
  visits: { $numberLong: '1004' }
}

const TIMES = { ts_ms: 1_559_033_904_961, ts_us: 1_559_033_904_961_654, ts_ns: 1_559_033_904_961_654_000 }

type Rows = Pick<GoldenChange, 'after' | 'before'>

function ofTable(database: 'PostgreSQL' | 'MySQL', title: string, op: string, { before, after }: Rows): GoldenChange {
  const source = database === 'MySQL' ? MYSQL : { ...POSTGRES, snapshot: op === 'r' ? 'last' : 'false' }
  const envelope = { before: before ?? null, after: after ?? null, source, transaction: null, op, ...TIMES }
  return { database, title, key: op === 't' ? null : { id: 1 }, envelope, before, after }
}

function ofCollection(title: string, op: string, { before, after }: Rows): GoldenChange {
  const updateDescription = op === 'u' ? { removedFields: null, updatedFields: '{"first_name":"Anne"}' } : null
  const rest = { updateDescription, source: MONGODB, wallTime: null, op, ...TIMES, transaction: null }
  const key = { id: '{"$oid": "596e275826f08b2730779e1f"}' }
  return {
    database: 'MongoDB',
    title,
    key,
    envelope: { before: text(before), after: text(after), ...rest },
    before,
    after
  }
}

const NONE: Rows = { before: undefined, after: undefined }

/** The connector for MongoDB writes a document as a string. */
function text(document: object | undefined): string | null {
  return document === undefined ? null : JSON.stringify(document)
}

/**
 * Changes with the fields that Debezium documents for three databases: creates, snapshot reads, updates and deletes,
 * each with as much of the previous row as the database was told to keep.
 */
export const GOLDEN_CHANGES: readonly GoldenChange[] = [
  ofTable('PostgreSQL', 'create', 'c', { ...NONE, after: ROW }),
  ofTable('PostgreSQL', 'snapshot read', 'r', { ...NONE, after: ROW }),
  ofTable('PostgreSQL', 'update with REPLICA IDENTITY DEFAULT', 'u', { ...NONE, after: RENAMED }),
  ofTable('PostgreSQL', 'update with REPLICA IDENTITY FULL', 'u', { before: ROW, after: RENAMED }),
  ofTable('PostgreSQL', 'delete with REPLICA IDENTITY FULL', 'd', { ...NONE, before: RENAMED }),
  ofTable('PostgreSQL', 'delete with REPLICA IDENTITY NOTHING', 'd', NONE),
  ofTable('MySQL', 'create', 'c', { ...NONE, after: ROW }),
  ofTable('MySQL', 'snapshot read', 'r', { ...NONE, after: ROW }),
  ofTable('MySQL', 'update', 'u', { before: ROW, after: RENAMED }),
  ofTable('MySQL', 'delete', 'd', { ...NONE, before: RENAMED }),
  ofCollection('create', 'c', { ...NONE, after: DOCUMENT }),
  ofCollection('update in a capture mode with full documents', 'u', { ...NONE, after: DOCUMENT }),
  ofCollection('update in a capture mode with pre-images', 'u', {
    before: { ...DOCUMENT, first_name: 'A' },
    after: DOCUMENT
  }),
  ofCollection('delete in a capture mode with pre-images', 'd', { ...NONE, before: DOCUMENT }),
  ofCollection('delete', 'd', NONE)
]

/** A table was emptied; only PostgreSQL and MySQL write this, and only if it is not among the skipped operations. */
export const GOLDEN_TRUNCATE: GoldenChange = ofTable('PostgreSQL', 'truncate', 't', NONE)

/** A message of `pg_logical_emit_message`. */
export const GOLDEN_MESSAGE: GoldenChange = {
  database: 'PostgreSQL',
  title: 'message',
  key: { prefix: 'foo' },
  envelope: {
    op: 'm',
    ...TIMES,
    source: { ...POSTGRES, schema: '', table: '' },
    message: { prefix: 'foo', content: 'AQI=' }
  },
  before: undefined,
  after: undefined
}

/** Output of Connect's JsonConverter with `schemas.enable`: the schema of every record, and the record. */
export function withConnectSchema(fields: readonly object[], payload: object): object {
  const row = { type: 'struct', optional: true, name: 'server.inventory.customers.Value', fields }
  const schema = {
    type: 'struct',
    optional: false,
    name: 'server.inventory.customers.Envelope',
    version: 2,
    fields: [
      { ...row, field: 'before' },
      { ...row, field: 'after' },
      { type: 'string', optional: false, field: 'op' },
      { type: 'int64', optional: true, field: 'ts_ns' }
    ]
  }
  return { schema, payload }
}
