import { PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { idsOf } from './drives.ts'

const start = useContainers()

describe('a reader without a plan', () => {
  it('uses the key from the parts unchanged', async () => {
    const { reader } = await start({
      paths: ['/city'],
      documents: [
        { id: '1', city: 'Rome' },
        { id: '2', city: 'Oslo' }
      ]
    })

    expect(idsOf(await reader.read({ city: 'Rome' }))).toEqual(['1'])
    expect(await reader.read({ city: 'Rome', id: '2' })).toEqual([])
  })

  it('needs only the id if the id is the key', async () => {
    const { reader, pages } = await start({ paths: ['/id'], documents: [{ id: '1' }, { id: '2', at: 7 }] })

    expect(await reader.read({ id: '2' })).toEqual([expect.objectContaining({ at: 7 })])
    expect(pages).toEqual([])
  })

  it('distinguishes the types of keys', async () => {
    const { reader } = await start({
      paths: ['/year'],
      documents: [
        { id: '1', year: 2018 },
        { id: '2', year: '2018' }
      ]
    })

    expect(idsOf(await reader.read({ year: 2018 }))).toEqual(['1'])
    expect(idsOf(await reader.read({ year: '2018' }))).toEqual(['2'])
  })

  it('reads containers with hash version 1', async () => {
    const { reader } = await start({
      paths: ['/city'],
      version: PartitionKeyDefinitionVersion.V1,
      documents: [{ id: '1', city: 'Rome' }]
    })

    expect(await collect(reader.readAll({ city: 'Rome' }))).toHaveLength(1)
  })
})
