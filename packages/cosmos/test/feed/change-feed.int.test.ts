import { describe, expect, it } from 'vitest'
import { cursorsFrom, drain, parsed, useFeeds } from './start-feed.ts'

const start = useFeeds()
const NAMES = Array.from({ length: 60 }, (_, index) => `d${index}`)

describe('the change feed of latest versions', () => {
  it('has each document once, with its bytes, key, id and version', async () => {
    const { feed, upsert } = await start()
    for (const [index, id] of NAMES.entries()) await upsert({ id, pk: `k${index}`, text: '"é\\n' })
    const { documents } = await drain(feed, await cursorsFrom(feed, 'beginning'))

    expect(documents.map(({ identity }) => identity.id).toSorted()).toEqual(NAMES.toSorted())
    for (const document of documents) {
      const { _etag, _ts, _lsn, ...rest } = parsed(document)
      expect(rest).toMatchObject({ id: document.identity.id, pk: document.identity.key[0], text: '"é\\n' })
      expect([document.etag, document.timestamp, document.lsn]).toEqual([_etag, _ts, _lsn])
    }
  })

  it('begins now, and resumes at a position', async () => {
    const { feed, upsert } = await start()
    await upsert({ id: 'before', pk: 'a' })
    const first = await drain(feed, await cursorsFrom(feed, 'now'))
    expect(first.documents).toEqual([])
    await upsert({ id: 'after', pk: 'a' })
    const second = await drain(feed, first.cursors)
    const third = await drain(feed, second.cursors)

    expect(second.documents.map(({ identity }) => identity.id)).toEqual(['after'])
    expect(third.documents).toEqual([])
  })

  it('continues in the parts of a split range, and has every document once', async () => {
    const { feed, upsert, emulator } = await start({ emulator: { ranges: 1 } })
    for (const [index, id] of NAMES.entries()) await upsert({ id, pk: `k${index}` })
    let ranges = ['0']
    const { documents, splits } = await drain(feed, await cursorsFrom(feed, 'beginning'), {
      onPage: async (pages) => {
        if (pages % 3 !== 1 || pages > 8) return
        ranges = (await Promise.all(ranges.map((id) => emulator.split('d', 'c', id)))).flat()
      }
    })

    expect(splits).toBeGreaterThan(2)
    expect(documents.map(({ identity }) => identity.id).toSorted()).toEqual(NAMES.toSorted())
  })

  it('continues with a part of a merged range, and has every document once', async () => {
    const { feed, upsert, emulator } = await start({ emulator: { ranges: 2 } })
    for (const [index, id] of NAMES.entries()) await upsert({ id, pk: `k${index}` })
    const { documents } = await drain(feed, await cursorsFrom(feed, 'beginning'), {
      onPage: async (pages) => {
        if (pages === 3) await emulator.merge('d', 'c', '0')
      }
    })

    expect(documents.map(({ identity }) => identity.id).toSorted()).toEqual(NAMES.toSorted())
  })
})

describe('the change feed of all versions and deletes', () => {
  const definition = {
    changeFeedPolicy: { retentionDuration: 10 },
    previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } },
    defaultTtl: -1
  }

  it('has each version and each delete with the identity and the previous image', async () => {
    const { feed, upsert, remove } = await start({ definition })
    const { cursors } = await drain(feed, await cursorsFrom(feed, 'now'), { mode: 'versions' })
    await upsert({ id: 'x', pk: 'a', n: 1 })
    await upsert({ id: 'x', pk: 'a', n: 2 })
    await remove({ id: 'x', pk: 'a' })
    const { versions } = await drain(feed, cursors, { mode: 'versions' })

    expect(versions.map(({ operation, isExpiry }) => [operation, isExpiry])).toEqual([
      ['create', false],
      ['replace', false],
      ['delete', false]
    ])
    expect(versions.map(({ identity }) => identity)).toEqual(Array.from({ length: 3 }, () => ({ key: ['a'], id: 'x' })))
    expect(versions.map(({ previous }) => previous && parsed(previous)['n'])).toEqual([undefined, 1, 2])
    expect(versions.map(({ lsn }) => lsn)).toEqual([...versions.map(({ lsn }) => lsn)].toSorted((a, b) => a - b))
  })
})

describe('a point read', () => {
  it('returns the document with its version, and undefined where there is none', async () => {
    const { feed, upsert } = await start()
    await upsert({ id: 'x y', pk: 'ü"\\' })
    const found = await feed.readDocument({ key: ['ü"\\'], id: 'x y' })

    expect(parsed(found!)).toMatchObject({ id: 'x y', pk: 'ü"\\', _etag: found!.etag, _ts: found!.timestamp })
    expect(found!.lsn).toBeUndefined()
    expect(await feed.readDocument({ key: ['ü'], id: 'none' })).toBeUndefined()
  })
})
