import { describe, expect, it } from 'vitest'
import { createReader } from '../../../src/reader/reader.ts'
import { collect, useContainers } from '../start-container.ts'
import { COMPUTED, DATE, VIN } from './drives.ts'

const start = useContainers()

describe('createReader', () => {
  it('refuses a container that the plan does not stamp for, before the first read', async () => {
    const { reader } = await start({ paths: ['/other'], plan: COMPUTED, documents: [] })

    await expect(reader.read({ date: DATE, [VIN]: 'a' })).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('/other')
    })
  })

  it.each([
    ['an unknown option', { paralel: 3 }, /`paralel`/],
    ['a page of nothing', { pageItems: 0 }, /`pageItems`/],
    ['an order that is no pointer', {}, /`orderBy`/]
  ])('refuses %s', async (_, extra, message) => {
    const options = { endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c', ...extra }

    const use = async (): Promise<unknown> => collect(createReader(options).readAll({}, { orderBy: 'at' }))

    await expect(use()).rejects.toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
  })

  it.each<[string, unknown, object, RegExp]>([
    ['an id that is no string', { date: DATE, id: 5 }, {}, /`id` must be a string/],
    ['an empty id', { date: DATE }, { id: '' }, /`id` must be a string/],
    ['an option that it does not know', { date: DATE }, { di: '1' }, /The option `di` is not known here/],
    ['parts that are none', null, {}, /is an object/],
    ['a list of parts', [], {}, /is an object/]
  ])('refuses a question with %s, instead of answering another', async (_, parts, options, message) => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })
    const refusal = { code: 'OPTION_INVALID', message: expect.stringMatching(message) }

    await expect(reader.read(parts as object, options)).rejects.toMatchObject(refusal)
    await expect(reader.explain(parts as object, options)).rejects.toMatchObject(refusal)
    reader.close()
  })

  it('refuses to read all of something by an option that it does not know', async () => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })

    await expect(collect(reader.readAll({ date: DATE }, { oderBy: '/at' } as object))).rejects.toMatchObject({
      code: 'OPTION_INVALID'
    })
    reader.close()
  })

  it.each<[string, object, RegExp]>([
    [
      'a member that it does not know',
      { field: '/at', descending: true },
      /`descending` is not a member .* Did you mean `isDescending`\?/
    ],
    [
      'a direction that is text',
      { field: '/at', isDescending: 'false' },
      /`isDescending` in `orderBy` must be true or false/
    ],
    ['null', null as never, /`orderBy` takes the field/]
  ])('refuses an order with %s, instead of giving another order', async (_, orderBy, message) => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })

    await expect(collect(reader.readAll({ date: DATE }, { orderBy } as object))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(message)
    })
    reader.close()
  })
})
