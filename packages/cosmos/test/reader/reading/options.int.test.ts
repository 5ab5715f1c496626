import { describe, expect, it } from 'vitest'
import { createReader } from '../../../src/reader/reader.ts'
import { collect, useContainers } from '../start-container.ts'
import { COMPUTED, DATE, VIN } from './drives.ts'

const start = useContainers()

describe('createReader', () => {
  it('creates a reader that throws before the first read if the container does not match the plan', async () => {
    const { reader } = await start({ paths: ['/other'], plan: COMPUTED, documents: [] })

    await expect(reader.read({ date: DATE, [VIN]: 'a' })).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('/other')
    })
  })

  it.each([
    ['an unknown option', { paralel: 3 }, /`paralel`/],
    ['pages of 0 items', { pageItems: 0 }, /`pageItems`/],
    ['an order that is not a pointer', {}, /`orderBy`/]
  ])('refuses %s', async (_, extra, message) => {
    const options = { endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c', ...extra }

    const use = async (): Promise<unknown> => collect(createReader(options).readAll({}, { orderBy: 'at' }))

    await expect(use()).rejects.toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
  })

  it.each<[string, unknown, object, RegExp]>([
    ['an id that is not a string', { date: DATE, id: 5 }, {}, /`id` must be a non-empty string/],
    ['an empty id', { date: DATE }, { id: '' }, /`id` must be a non-empty string/],
    ['an unknown option', { date: DATE }, { di: '1' }, /The option `di` is not known here/],
    ['parts that are null', null, {}, /must be an object/],
    ['a list of parts', [], {}, /must be an object/]
  ])('creates a reader that throws for %s', async (_, parts, options, message) => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })
    const refusal = { code: 'OPTION_INVALID', message: expect.stringMatching(message) }

    await expect(reader.read(parts as object, options)).rejects.toMatchObject(refusal)
    await expect(reader.explain(parts as object, options)).rejects.toMatchObject(refusal)
    reader.close()
  })

  it('creates a reader whose readAll throws for an unknown option', async () => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })

    await expect(collect(reader.readAll({ date: DATE }, { oderBy: '/at' } as object))).rejects.toMatchObject({
      code: 'OPTION_INVALID'
    })
    reader.close()
  })

  it.each<[string, object, RegExp]>([
    [
      'an unknown property',
      { field: '/at', descending: true },
      /`descending` is not a property .* Did you mean `isDescending`\?/
    ],
    [
      'a direction that is a string',
      { field: '/at', isDescending: 'false' },
      /`isDescending` in `orderBy` must be true or false/
    ],
    ['null', null as never, /`orderBy` must be a JSON pointer/]
  ])('creates a reader whose readAll throws for %s in `orderBy`', async (_, orderBy, message) => {
    const reader = createReader({ endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c' })

    await expect(collect(reader.readAll({ date: DATE }, { orderBy } as object))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(message)
    })
    reader.close()
  })
})
