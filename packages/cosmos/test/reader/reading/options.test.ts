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
})
