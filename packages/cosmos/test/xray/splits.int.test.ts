import { partitionHash } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { Xray } from '../../src/index.ts'
import { useXrayedContainers } from './start-xray.ts'

const startXrayed = useXrayedContainers()

const documents = Array.from({ length: 600 }, (_, index) => ({
  id: `${index}`,
  key: `key-${index % 50}`,
  text: 'x'.repeat(2000)
}))

/** Reads all changes of a container with small pages, and calls a function after some of the pages. */
async function readChanges(xray: Xray, to: number, onPage: (page: number) => void): Promise<readonly string[]> {
  let page = 0
  const seen: string[] = []
  const { documents: count } = await xray.changes({
    from: to - 60,
    to,
    onChanges: (changes) => {
      seen.push(...changes.documents.map(({ id }) => id as string))
      onPage(++page)
    }
  })
  expect(count).toBe(seen.length)
  return seen
}

describe('openXray during a split', () => {
  it.each([1, 2])('reads each change once if all physical partitions are split after page %i', async (at) => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 2 })
    await write(documents)
    advance(2000)
    const xray = open({ maxRuPerSecond: 400 })
    const facts = await xray.facts()
    let splits: Promise<unknown> | undefined

    const to = Math.floor(now() / 1000)
    const seen = await readChanges(xray, to, (page) => {
      if (page === at) splits = Promise.all(facts.ranges.map(({ id }) => emulator.split('d', 'c', id)))
    })
    await splits

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    // the first pages do not have all changes of the first physical partition
    expect(xray.splits().map((split) => [split.from, split.to.length])).toEqual([
      ['0', 2],
      ['1', 2]
    ])
    expect((await xray.facts()).ranges.map(({ id }) => id)).toEqual(['0', '1'])
  })

  it('goes on in the children of children', async () => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 1 })
    await write(documents)
    advance(2000)
    const xray = open()
    await xray.facts()
    const children = await emulator.split('d', 'c', '0')
    await emulator.split('d', 'c', children[0])

    const seen = await readChanges(xray, Math.floor(now() / 1000), () => {})

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    const { sample } = await xray.sample(1000)
    expect(sample).toHaveLength(600)
  })

  it('waits for a split that is not complete', async () => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 1 })
    await write(documents)
    advance(2000)
    const xray = open()
    await xray.facts()
    emulator.faults.inject({ on: 'changeFeed', count: 1, action: { kind: 'status', status: 410, subStatus: 1007 } })

    const seen = await readChanges(xray, Math.floor(now() / 1000), () => {})

    expect(seen).toHaveLength(600)
    expect(xray.splits()).toEqual([])
  })

  it.each([1002, 1007])('asks a part for the feed of all versions and deletes after 410/%i', async (subStatus) => {
    const { emulator, write, open } = await startXrayed({ ranges: 1 })
    await write(documents.slice(0, 10))
    const xray = open()
    await xray.facts()
    emulator.faults.inject({ on: 'changeFeed', count: 2, action: { kind: 'status', status: 410, subStatus } })
    expect(await xray.versionsFeed()).toMatchObject({ isOn: false })
    await emulator.split('d', 'c', '0')
    expect(await xray.versionsFeed()).toMatchObject({ isOn: false })
    expect(xray.splits()).toHaveLength(1)
  })

  it.each([1002, 1007])('repeats a request that names no physical partition after 410/%i', async (subStatus) => {
    const { emulator, open } = await startXrayed({ ranges: 1 })
    for (const on of ['readContainer', 'ranges', 'offers'])
      emulator.faults.inject({ on, count: 2, action: { kind: 'status', status: 410, subStatus } })
    expect(await open().facts()).toMatchObject({ ranges: [{ id: '0' }] })
  })

  it('samples each document once if a physical partition is split during the sampling', async () => {
    const { emulator, write, open, log } = await startXrayed({ ranges: 2 })
    await write(documents)
    const xray = open({ maxRuPerSecond: 400 })
    await xray.facts()
    const before = log.length
    const timer = setInterval(() => {
      // after the first queries
      if (log.length < before + 4) return
      clearInterval(timer)
      void emulator.split('d', 'c', '1')
    }, 1)

    const { sample, documents: total } = await xray.sample(1000)

    expect(sample.map(({ id }) => id as string).toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    expect(total).toBe(600)
    expect(xray.splits()).toHaveLength(1)
  })
})

describe('openXray during a merge', () => {
  it.each([1, 2])('reads each change once if physical partitions are merged after page %i', async (at) => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 3 })
    await write(documents)
    advance(2000)
    const xray = open({ maxRuPerSecond: 400 })
    await xray.facts()
    let merge: Promise<unknown> | undefined

    const seen = await readChanges(xray, Math.floor(now() / 1000), (page) => {
      if (page === at) merge = emulator.merge('d', 'c', '1')
    })
    await merge

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    const { sample } = await xray.sample(1000)
    expect(sample.map(({ id }) => id as string).toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    expect(xray.merges()).toEqual([{ from: ['1', '2'], to: '3' }])
    expect(xray.splits()).toEqual([])
  })

  it('reads a container whose physical partitions were merged before', async () => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 3 })
    await write(documents)
    await emulator.merge('d', 'c', '1')
    advance(2000)

    const xray = open()
    const seen = await readChanges(xray, Math.floor(now() / 1000), () => {})

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    expect(xray.merges()).toEqual([])
  })

  it('has all changes after a merge, although their times do not ascend', async () => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 2 })
    const { ranges, definition } = await open().facts()
    const isHigh = ({ key }: { key: string }): boolean => partitionHash([key], definition.partitionKey) >= ranges[1].min
    // both physical partitions begin with the same LSN, so the new changes of one are between the old ones of the other
    await write(documents.filter(isHigh))
    advance(30_000)
    await write(documents.filter((document) => !isHigh(document)))
    advance(2000)
    await emulator.merge('d', 'c', '0')

    const seen = await readChanges(open({ maxRuPerSecond: 100 }), Math.floor(now() / 1000), () => {})

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
  })

  it('goes on in what splits and merges made together', async () => {
    const { emulator, write, open, now, advance } = await startXrayed({ ranges: 2 })
    await write(documents)
    advance(2000)
    const xray = open({ maxRuPerSecond: 400 })
    await xray.facts()
    const moves = [
      () => emulator.split('d', 'c', '0'),
      // the second half of the first physical partition, and the second physical partition
      () => emulator.merge('d', 'c', '3'),
      () => emulator.split('d', 'c', '4')
    ]
    const done: unknown[] = []

    const seen = await readChanges(xray, Math.floor(now() / 1000), (page) => {
      const move = moves[page - 1]
      if (move !== undefined) done.push(move())
    })
    await Promise.all(done)

    expect(seen.toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    expect(await xray.versionsFeed()).toMatchObject({ isOn: false })
    const { sample, documents: total } = await xray.sample(1000)
    expect([sample.length, total]).toEqual([600, 600])
  })

  it('samples each document once if physical partitions are merged during the sampling', async () => {
    const { emulator, write, open, log } = await startXrayed({ ranges: 3 })
    await write(documents)
    const xray = open({ maxRuPerSecond: 400 })
    await xray.facts()
    const before = log.length
    const timer = setInterval(() => {
      // after the first queries
      if (log.length < before + 4) return
      clearInterval(timer)
      void emulator.merge('d', 'c', '0')
    }, 1)

    const { sample, documents: total } = await xray.sample(1000)

    expect(sample.map(({ id }) => id as string).toSorted()).toEqual(documents.map(({ id }) => id).toSorted())
    expect(total).toBe(600)
    expect(xray.merges()).toEqual([{ from: ['0', '1'], to: '3' }])
  })
})
