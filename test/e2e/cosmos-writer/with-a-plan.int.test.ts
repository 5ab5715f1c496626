import { describe, expect, it } from 'vitest'
import { useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('a writer with a plan', () => {
  it('adds the partition key to objects and to bytes', async () => {
    const writer = await fixture.open({ plan: { into: '/pk', from: [{ field: '/device' }, { field: '/year' }] } })
    await writer.write({ kind: 'upsert', record: { id: 'a', device: 'abc-123', year: 2018 } })
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"b","device":"abc-123","year":2018,"exact":1.50}') })

    expect(await fixture.read('a', 'abc-123-2018')).toBeDefined()
    expect(await fixture.read('b', 'abc-123-2018')).toBeDefined()
  })

  it('is refused with a remedy if the container has another partition key', async () => {
    const refused = fixture.open({ plan: { into: '/other', from: [{ field: '/device' }] } })

    await expect(refused).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('Change `into`') as string
    })
  })

  it('is refused if its plan is made for another hash version than that of the container', async () => {
    const refused = fixture.open({ plan: { into: '/pk', from: [{ field: '/device' }], hashVersion: 1 } })

    await expect(refused).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('"hashVersion": 2') as string
    })
  })

  it('warns of unique keys, which are unique only within one partition key', async () => {
    fixture.container = await fixture.createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } })
    const writer = await fixture.open({ plan: { into: '/pk', from: [{ field: '/device' }] } })

    expect(writer.warnings.join()).toContain('/email')
  })
})
