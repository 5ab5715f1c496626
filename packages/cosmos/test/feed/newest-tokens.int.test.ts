import { describe, expect, it } from 'vitest'
import { coversToken, type FeedRange } from '../../src/index.ts'
import { type StartedFeed, useFeeds } from './start-feed.ts'
import { useServices, WHOLE } from './start-service.ts'

const start = useFeeds()
const startService = useServices()
const NAMES = Array.from({ length: 60 }, (_, index) => `d${index}`)

const token = (text: string) => ({ status: 404, headers: { 'x-ms-session-token': text } })

/** Session token of the end of the feed of a range. */
async function endToken({ feed }: StartedFeed, range: FeedRange): Promise<string> {
  for (let from = 'beginning'; ;) {
    const page = await feed.readChanges({ range, mode: 'latest', from })
    if (page.kind === 'split') throw new Error('The range was split.')
    if (page.isEnd) return page.sessionToken!
    from = page.position
  }
}

describe('the newest session tokens of a container', () => {
  it('are covered by the end of the feed of each physical partition, and not by an end from before the last writes', async () => {
    const started = await start()
    const { feed, upsert } = started
    const before = await Promise.all((await feed.feedRanges()).map((range) => endToken(started, range)))
    for (const id of NAMES) await upsert({ id, pk: id })
    const tokens = (await feed.newestTokens())!

    expect(tokens.map(({ range }) => range)).toEqual(await feed.feedRanges())
    for (const [index, { range, sessionToken }] of tokens.entries()) {
      expect(coversToken(await endToken(started, range), sessionToken)).toBe(true)
      expect(coversToken(before[index], sessionToken)).toBe(false)
    }
  })

  it('change nothing in the container', async () => {
    const started = await start()
    await started.upsert({ id: 'x', pk: 'a' })
    const [first] = (await started.feed.newestTokens())!
    const [second] = (await started.feed.newestTokens())!

    expect(second).toEqual(first)
  })

  it('are those of the parts after a split', async () => {
    const started = await start({ emulator: { ranges: 1 } })
    const { feed, upsert, emulator } = started
    for (const id of NAMES) await upsert({ id, pk: id })
    await feed.newestTokens()
    await emulator.split('d', 'c', '0')
    const tokens = (await feed.newestTokens())!

    expect(tokens).toHaveLength(2)
    for (const { range, sessionToken } of tokens)
      expect(coversToken(await endToken(started, range), sessionToken)).toBe(true)
  })

  it('are not known if the account refuses writes of this client', async () => {
    const { feed, received } = await startService([{ status: 403 }])
    expect(await feed.newestTokens()).toBeUndefined()
    expect(received[0].request).toMatchObject({ method: 'DELETE', url: expect.stringMatching(/docs\/keystamp-/) })
  })

  it('are not known if several regions accept writes, and nothing is sent', async () => {
    const { feed, received, account } = await startService([{ status: 404 }])
    account.writableLocations = [{ name: 'a' }, { name: 'b' }]
    expect(await feed.newestTokens()).toBeUndefined()
    expect(received).toEqual([])
  })

  it('are asked for again if an answer has no token of the physical partition', async () => {
    const { feed, received } = await startService([{ status: 404 }, token('7:-1#9'), token('0:-1#9')])
    expect(await feed.newestTokens()).toEqual([{ range: WHOLE, sessionToken: '0:-1#9' }])
    expect(received).toHaveLength(3)
  })
})
