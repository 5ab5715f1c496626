import { createRandom, type TopicRecord } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
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
