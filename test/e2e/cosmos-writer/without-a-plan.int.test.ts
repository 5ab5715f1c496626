import { PartitionKeyKind } from '@azure/cosmos'
import { describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('a writer without a plan', () => {
  it('takes the partition key from the key path of the container, even if that is the id', async () => {
    fixture.container = await fixture.createContainer({
      partitionKey: { paths: ['/id'], kind: PartitionKeyKind.Hash, version: 2 }
    })
    const writer = await fixture.open()
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"a","n":1}') })

    expect(await fixture.read('a', 'a')).toMatchObject({ n: 1 })
  })

  it('writes into hierarchical containers', async () => {
    fixture.container = await fixture.createContainer({
      partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 }
    })
    const writer = await fixture.open()
    const outcome = await writer.write({ kind: 'upsert', record: { id: 'a', tenant: 7, user: 'x' } })

    expect(codeOf(outcome)).toBe('written')
    expect((await fixture.container.item('a', [7, 'x']).read()).resource).toBeDefined()
  })

  it('L3 stores an object with the key -0 under 0, but the same record as JSON bytes is rejected', async () => {
    const writer = await fixture.open()
    const object = await writer.write({ kind: 'upsert', record: { id: 'a', pk: -0 } })
    const bytes = await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"b","pk":-0}') })

    expect(object).toMatchObject({ kind: 'written' })
    expect(bytes).toMatchObject({ kind: 'rejected', status: 400, subStatus: 1001 })
    expect((await fixture.container.items.query('SELECT c.id FROM c').fetchAll()).resources).toEqual([{ id: 'a' }])
  })

  it('is refused if the container does not exist', async () => {
    await expect(fixture.open({ container: 'nowhere' })).rejects.toMatchObject({ code: 'CONTAINER_MISSING' })
  })

  it('is refused if it gets an unknown option', async () => {
    await expect(fixture.open({ maxByte: 1 } as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    await expect(fixture.open({ share: '120%' })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})
