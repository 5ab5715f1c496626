import { describe, expect, it } from 'vitest'
import { usePlace } from './use-place.ts'

const place = usePlace()

describe('a writer with a plan', () => {
  it('stamps objects and bytes alike', async () => {
    const writer = await place.open({ plan: { into: '/pk', from: [{ field: '/device' }, { field: '/year' }] } })
    await writer.write({ kind: 'upsert', record: { id: 'a', device: 'abc-123', year: 2018 } })
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"b","device":"abc-123","year":2018,"exact":1.50}') })

    expect(await place.read('a', 'abc-123-2018')).toBeDefined()
    expect(await place.read('b', 'abc-123-2018')).toBeDefined()
  })

  it('is refused when the container is split by another key, and told what to change', async () => {
    const refused = place.open({ plan: { into: '/other', from: [{ field: '/device' }] } })

    await expect(refused).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('Change `into`') as string
    })
  })

  it('is refused when it is made for another way of hashing', async () => {
    const refused = place.open({ plan: { into: '/pk', from: [{ field: '/device' }], hashVersion: 1 } })

    await expect(refused).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('"hashVersion": 2') as string
    })
  })

  it('warns of unique keys, which hold within one key only', async () => {
    place.container = await place.createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } })
    const writer = await place.open({ plan: { into: '/pk', from: [{ field: '/device' }] } })

    expect(writer.warnings.join()).toContain('/email')
  })
})
