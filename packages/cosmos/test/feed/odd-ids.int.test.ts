import { expect, it } from 'vitest'
import { parsed, useFeeds } from './start-feed.ts'

const start = useFeeds()

// `.` and `..` in a URL mean another address, which would answer with the list of documents or with the container
it.each(['.', '..', '\ud83d', '🚗', 'a?b', 'a#b', 'ends with a space ', '%2e%2E', '\t', 'x'.repeat(1023)])(
  'reads the document with the id %j, and nothing before it is there',
  async (id) => {
    const { feed, upsert } = await start()
    await upsert({ id: 'other', pk: 'p' })
    expect(await feed.readDocument({ key: ['p'], id })).toBeUndefined()
    await upsert({ id, pk: 'p', n: 7 })
    const found = await feed.readDocument({ key: ['p'], id })
    expect(parsed(found!)).toMatchObject({ id, pk: 'p', n: 7 })
    expect(found).toMatchObject({ identity: { key: ['p'], id }, etag: expect.stringMatching(/^".+"$/) })
  }
)

it.each(['a/b', 'a\\b'])('finds no document with the id %j, which Cosmos DB refuses', async (id) => {
  const { feed } = await start()
  expect(await feed.readDocument({ key: ['p'], id })).toBeUndefined()
})
