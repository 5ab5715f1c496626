import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import { type ContainerSample, type ContainerSampleOptions, sampleContainer } from '../../src/index.ts'

let emulator: Emulator | undefined

afterEach(async () => {
  await emulator?.stop()
  emulator = undefined
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await fetch(`${emulator!.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  if (!answer.ok) throw new Error(`${answer.status} to ${path}`)
}

/** Writes documents, and after each group of them lets some time pass. */
async function startWith(documents: number, { group = documents, seconds = 0 } = {}): Promise<void> {
  emulator = await startEmulator({ ranges: 4, ruPerSecond: 100_000, auth: 'off' })
  await post('dbs', { id: 'd' })
  await post('dbs/d/colls', {
    id: 'c',
    partitionKey: { paths: ['/vin'], kind: 'Hash', version: 2 },
    defaultTtl: 86_400
  })
  for (let first = 0; first < documents; first += group) {
    await Promise.all(Array.from({ length: Math.min(group, documents - first) }, (_, index) => write(first + index)))
    emulator.clock.advance(seconds * 1000)
  }
}

async function write(index: number): Promise<void> {
  const vin = `vin-${index % 500}`
  const headers = { 'x-ms-documentdb-partitionkey': JSON.stringify([vin]) }
  await post('dbs/d/colls/c/docs', { id: `${index}`, vin, index }, headers)
}

function sample(
  count: number,
  more: { ruPerSecond?: number; seed?: number } & Pick<Partial<ContainerSampleOptions>, 'signal' | 'onProgress'> = {}
) {
  const { endpoint, key } = emulator!
  const { ruPerSecond = 1_000_000, seed = 1, ...others } = more
  return sampleContainer({
    endpoint,
    key,
    database: 'd',
    container: 'c',
    metadataBy: 'direct',
    count,
    ruPerSecond,
    random: seeded(seed),
    ...others
  })
}

function mean(list: Float64Array): number {
  return list.reduce((sum, count) => sum + count, 0) / list.length
}

function indexesOf({ sample: documents }: ContainerSample): readonly number[] {
  return documents.map(({ index }) => index as number)
}

describe('a sample of a container', () => {
  it('has documents of all write times from every physical partition, and facts about the container', async () => {
    await startWith(1200, { group: 8, seconds: 10 })

    const found = await sample(200)

    expect(found).toMatchObject({
      documents: 1200,
      partitions: 4,
      method: 'uniform',
      definition: { partitionKey: { paths: ['/vin'] }, defaultTtl: 86_400 },
      offer: { ruPerSecond: 100_000 }
    })
    const indexes = indexesOf(found)
    expect(new Set(indexes).size).toBe(200)
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      indexes.filter((index) => Math.floor(index / 120) === tenth)
    )
    for (const tenth of tenths) expect(tenth.length).toBeGreaterThan(5)
    expect(Object.keys(found.sample[0])).toEqual(['id', 'vin', 'index'])
    expect(emulator?.operations()).toHaveLength(1200)
  })

  it('gives each document the same probability', async () => {
    await startWith(400, { group: 4, seconds: 8 })

    const counts = new Float64Array(400)
    for (let seed = 1; seed <= 40; seed++) for (const index of indexesOf(await sample(40, { seed }))) counts[index]++

    // 4 on average; the first and the last documents of the container no less than the others
    expect(mean(counts.slice(0, 40))).toBeGreaterThan(2.5)
    expect(mean(counts.slice(-40))).toBeGreaterThan(2.5)
    expect(Math.max(...counts)).toBeLessThan(16)
  })

  it('has all documents if no more were requested, and a random part of the documents if all were written in a short time', async () => {
    await startWith(1000)

    expect(await sample(1000)).toMatchObject({ documents: 1000, method: 'whole', sample: { length: 1000 } })
    const some = await sample(100)
    expect(some).toMatchObject({ documents: 1000, method: 'reservoir', sample: { length: 100 } })
    expect(await sample(100)).toEqual(some)
    expect(indexesOf(await sample(100, { seed: 2 }))).not.toEqual(indexesOf(some))
  })

  it('stays below its limit of RU/s on average, and ends when its signal aborts', async () => {
    await startWith(300)
    const began = performance.now()

    const { chargeRu } = await sample(300, { ruPerSecond: 40 })

    const seconds = (performance.now() - began) / 1000
    expect(chargeRu).toBeGreaterThan(20)
    // the last request may exceed it
    expect(seconds).toBeGreaterThan((chargeRu - 20) / 40)
    const signal = AbortSignal.timeout(100)
    await expect(sample(300, { ruPerSecond: 1, signal })).rejects.toThrow(/timeout/)
  })

  it('is empty for a container without documents', async () => {
    await startWith(0)

    expect(await sample(10)).toMatchObject({ documents: 0, method: 'whole', sample: [] })
  })

  it.each([
    ['split', 10],
    ['merged', 10],
    ['split', 300],
    ['merged', 300]
  ])('has each document once if a physical partition is %s meanwhile: %i documents', async (move, count) => {
    await startWith(1200, { group: 8, seconds: 10 })
    let isMoved = false
    const found = await sample(count, {
      onProgress: (documents) => {
        if (isMoved || documents < 5) return
        isMoved = true
        void (move === 'split' ? emulator!.split('d', 'c', '1') : emulator!.merge('d', 'c', '1'))
      }
    })

    expect(isMoved).toBe(true)
    expect(found).toMatchObject({ documents: 1200, partitions: move === 'split' ? 5 : 3 })
    expect(new Set(indexesOf(found)).size).toBe(count)
  })

  it('waits for a split that is not complete', async () => {
    await startWith(400)
    const splitting = emulator!.split('d', 'c', '1', { hold: true })
    const timer = setTimeout(() => emulator!.completeMoves('d', 'c'), 1200)

    const found = await sample(1000)

    clearTimeout(timer)
    await splitting
    expect(found).toMatchObject({ documents: 400, partitions: 5, sample: { length: 400 } })
  })
})
