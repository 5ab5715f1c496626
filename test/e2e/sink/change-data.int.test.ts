import {
  createRandom,
  GOLDEN_CHANGES,
  GOLDEN_MESSAGE,
  GOLDEN_TRUNCATE,
  type GoldenChange,
  type RegistryHandle,
  startRegistry,
  type TopicRecord,
  withConnectSchema
} from '@keystamp/testkit'
import avro from 'avsc'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const OF_CHANGES = {
  key: 'json',
  value: 'debezium',
  plan: { into: '/partitionKey', from: [{ field: '/area' }], id: { from: [{ field: '/id', orKey: '/id' }] } },
  write: { rehome: { before: 'envelope' } }
}

interface Row {
  readonly id: number
  readonly area: string
  readonly n: number
}

describe.skipIf(isMissing)(`a sink of change data${why}`, () => {
  // checks L19
  it('leaves the last state of each row, with creates, updates, changed keys, deletes and tombstones', async () => {
    const world = await startWorld({ brokers, partitions: 3 })
    const { records, rows } = history(60, 600)

    const stored = await world.play(OF_CHANGES, records)

    expect((stored as { id: string }[]).toSorted(byId)).toEqual(
      [...rows.values()].toSorted(byId).map(({ id, area, n }) => ({ id: String(id), area, n, partitionKey: area }))
    )
  })

  it.each(['JSON', 'JSON with a schema', 'Avro of a registry'] as const)(
    'applies each operation that Debezium documents for PostgreSQL, MySQL and MongoDB, in %s',
    async (encoding) => {
      const world = await startWorld({ brokers, partitions: 1 })
      const registry = await startRegistry()
      onTestFinished(() => registry.stop())
      const documents = `${world.topic}-documents`
      await world.kafka.createTopic(documents, { partitions: 1 })
      await world.addContainer('documents', { keyPaths: ['/partitionKey'] })
      const { valueOf, inner } = encoderOf(encoding, registry)
      const config = {
        key: 'json',
        value: { format: 'debezium', truncate: 'ignore', encoding: inner },
        registry: { url: registry.url },
        // MongoDB without pre-images gives a delete no row
        rejects: { policy: 'skip', tolerance: { percent: 100 } }
      }
      const recordsOf = (databases: readonly string[]): TopicRecord[] =>
        goldenHistory(databases).map((change) => ({ key: JSON.stringify(change.key), value: valueOf(change) }))
      await world.kafka.produce(documents, recordsOf(['MongoDB']))

      const rows = await world.play(
        {
          ...config,
          plan: {
            into: '/partitionKey',
            from: [{ field: '/id', orKey: '/id' }],
            id: { from: [{ field: '/id', orKey: '/id' }] }
          }
        },
        recordsOf(['PostgreSQL', 'MySQL'])
      )
      const sink = await world.createSink({
        ...config,
        kafka: { topics: [documents], group: documents, until: 'end' },
        cosmos: { container: 'documents' },
        plan: { into: '/partitionKey', from: [{ id: true }], id: { from: [{ field: '/_id/$oid' }] } }
      })
      await sink.start()
      expect(await sink.ended).toMatchObject({ state: 'stopped' })

      expect(rows).toMatchObject([{ id: '1', first_name: 'Anne Marie', email: 'anne@example.org', partitionKey: '1' }])
      expect(rows).toHaveLength(1)
      const ids = (await world.documents('documents')).map(({ id }) => id)
      // the last delete has no row before it
      expect(ids).toEqual([OID, OTHER_OID])
      expect(sink.stats().rejected).toEqual({ BEFORE_MISSING: 1 })
    }
  )
})

function byId(a: { readonly id?: unknown }, b: { readonly id?: unknown }): number {
  return Number(a.id) - Number(b.id)
}

/** Random changes of rows, as Debezium writes them, and the rows that are left. */
function history(count: number, changes: number): { records: TopicRecord[]; rows: Map<number, Row> } {
  const random = createRandom(7)
  const rows = new Map<number, Row>()
  const records: TopicRecord[] = []
  for (let n = 0; n < changes; n++) {
    const id = random.below(count)
    const key = JSON.stringify({ id })
    const before = rows.get(id) ?? null
    const isDelete = before !== null && random.chance(0.3)
    const after = isDelete ? null : { id, area: `area-${random.below(4)}`, n }
    const op = isDelete ? 'd' : before === null ? 'c' : 'u'
    records.push({ key, value: JSON.stringify({ before, after, source: { table: 'rows' }, op, ts_ms: n }) })
    if (after !== null) rows.set(id, after)
    else {
      rows.delete(id)
      records.push({ key, value: null })
    }
  }
  return { records, rows }
}

const OID = '596e275826f08b2730779e1f'
const OTHER_OID = '596e275826f08b2730779e20'

/** All changes of rows that stay, and each delete after a create of another row. */
function goldenHistory(databases: readonly string[]): readonly GoldenChange[] {
  const changes = [...GOLDEN_CHANGES, GOLDEN_TRUNCATE, GOLDEN_MESSAGE].filter(({ database }) =>
    databases.includes(database)
  )
  const [create] = changes
  return [
    ...changes.filter((change) => !isRowDelete(change)),
    ...changes.filter(isRowDelete).flatMap((change) => [ofOtherRow(create), ofOtherRow(change)])
  ]
}

function isRowDelete({ envelope }: GoldenChange): boolean {
  return envelope['op'] === 'd'
}

function ofOtherRow(change: GoldenChange): GoldenChange {
  const text = JSON.stringify(change).replaceAll('"id":1', '"id":2').replaceAll(OID, OTHER_OID)
  return JSON.parse(text) as GoldenChange
}

/** Encodes values of changes; `inner` is the encoding in the settings. */
function encoderOf(
  encoding: 'JSON' | 'JSON with a schema' | 'Avro of a registry',
  { register }: RegistryHandle
): { readonly inner: string; readonly valueOf: (change: GoldenChange) => Buffer } {
  if (encoding === 'JSON') return { inner: 'json', valueOf: ({ envelope }) => Buffer.from(JSON.stringify(envelope)) }
  if (encoding === 'JSON with a schema') {
    const valueOf = ({ envelope }: GoldenChange): Buffer =>
      Buffer.from(JSON.stringify(withConnectSchema(FIELDS_OF_ROW, envelope)))
    return { inner: 'json', valueOf }
  }
  const [table, collection] = [
    {
      type: 'record',
      name: 'Value',
      fields: [{ name: 'id', type: 'int' }, ...TEXTS.map((name) => ({ name, type: 'string' }))]
    },
    { type: 'string', 'connect.name': 'io.debezium.data.Json' }
  ].map((row) => {
    const schema = avroEnvelope(row)
    const type = avro.Type.forSchema(schema as never, { wrapUnions: false })
    return { type, id: register(`customers-${JSON.stringify(row).length}`, JSON.stringify(schema)) }
  })
  return {
    inner: 'registry',
    valueOf: ({ database, envelope }) => {
      const { type, id } = database === 'MongoDB' ? collection : table
      const { before = null, after = null, source, op } = envelope
      return Buffer.concat([Buffer.from([0, 0, 0, 0, id]), type.toBuffer({ before, after, source, op, ts_ms: 7 })])
    }
  }
}

const TEXTS = ['first_name', 'last_name', 'email']
const FIELDS_OF_ROW = [
  { type: 'int32', optional: false, field: 'id' },
  ...TEXTS.map((field) => ({ type: 'string', optional: false, field }))
]

function avroEnvelope(row: object): object {
  const source = {
    type: 'record',
    name: 'Source',
    fields: [
      { name: 'connector', type: 'string' },
      { name: 'ts_ms', type: 'long' }
    ]
  }
  return {
    type: 'record',
    name: 'Envelope',
    fields: [
      { name: 'before', type: ['null', row] },
      { name: 'after', type: ['null', 'name' in row ? 'Value' : row] },
      { name: 'source', type: source },
      { name: 'op', type: 'string' },
      { name: 'ts_ms', type: ['null', 'long'] }
    ]
  }
}
