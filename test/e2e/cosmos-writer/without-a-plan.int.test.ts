import { PartitionKeyKind } from '@azure/cosmos'
import { describe, expect, it } from 'vitest'
import { codeOf, usePlace } from './use-place.ts'

const place = usePlace()

describe('a writer without a plan', () => {
  it('takes key and id from where the container has them, the id itself included', async () => {
    place.container = await place.createContainer({
      partitionKey: { paths: ['/id'], kind: PartitionKeyKind.Hash, version: 2 }
    })
    const writer = await place.open()
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"a","n":1}') })

    expect(await place.read('a', 'a')).toMatchObject({ n: 1 })
  })

  it('writes into hierarchical containers', async () => {
    place.container = await place.createContainer({
      partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 }
    })
    const writer = await place.open()
    const outcome = await writer.write({ kind: 'upsert', record: { id: 'a', tenant: 7, user: 'x' } })

    expect(codeOf(outcome)).toBe('written')
    expect((await place.container.item('a', [7, 'x']).read()).resource).toBeDefined()
  })

  it('L3 stores an object whose key is -0 under 0, and has the same as JSON bytes rejected', async () => {
    const writer = await place.open()
    const object = await writer.write({ kind: 'upsert', record: { id: 'a', pk: -0 } })
    const bytes = await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"b","pk":-0}') })

    expect(object).toMatchObject({ kind: 'written' })
    expect(bytes).toMatchObject({ kind: 'rejected', status: 400, subStatus: 1001 })
    expect((await place.container.items.query('SELECT c.id FROM c').fetchAll()).resources).toEqual([{ id: 'a' }])
  })

  it('is refused where there is no container', async () => {
    await expect(place.open({ container: 'nowhere' })).rejects.toMatchObject({ code: 'CONTAINER_MISSING' })
  })

  it('is refused an option that it does not know', async () => {
    await expect(place.open({ maxByte: 1 } as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    await expect(place.open({ share: '120%' })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})
