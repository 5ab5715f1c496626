import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createWriter } from '../../../src/writer/writer.ts'
import { collect, useContainers } from '../start-container.ts'
import { idsOf } from './drives.ts'

const start = useContainers()

const plan = {
  levels: [
    { into: '/tenantId', from: [{ field: '/tenantId' }] },
    { into: '/day', from: [{ bucket: 'day', of: '/at' }], suffix: { by: '/n', count: 4 } },
    { into: '/id', from: [{ id: true }] }
  ]
} as const satisfies PlanDefinition

describe('a container whose last key path is the id', () => {
  it('is written and read by a plan', async () => {
    const { emulator, reader } = await start({ paths: ['/tenantId', '/day', '/id'], documents: [], plan })
    const { endpoint, key } = emulator
    const writer = await createWriter({ endpoint, key, database: 'd', container: 'c', plan })
    const records = Array.from({ length: 12 }, (_, n) => ({
      id: `i${n}`,
      tenantId: n % 2 === 0 ? 'even' : 'odd',
      at: '2018-08-09',
      n
    }))

    const outcomes = await Promise.all(records.map((record) => writer.write({ kind: 'upsert', record })))
    await writer.close()

    expect(outcomes.map(({ kind }) => kind)).toEqual(records.map(() => 'written'))
    expect(await reader.read({ tenantId: 'even', at: '2018-08-09', n: 4, id: 'i4' })).toMatchObject([
      { id: 'i4', n: 4 }
    ])
    expect(idsOf(await collect(reader.readAll({ tenantId: 'odd' }))).toSorted()).toEqual([
      'i1',
      'i11',
      'i3',
      'i5',
      'i7',
      'i9'
    ])
    expect(idsOf(await collect(reader.readAll({ tenantId: 'odd', at: '2018-08-09', n: 3 })))).toContain('i3')
  })
})
