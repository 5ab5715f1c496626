import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createPlan } from '@keystamp/core'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { estimateLoad, load, type LoadOptions, type LoadSummary } from '../src/index.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }] })

describe('load', () => {
  const path = useTemporaryFolder()
  let emulator: Emulator

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off', containers: ['fleet/drives:/partitionKey'] })
  })
  afterEach(() => emulator.stop())

  it('writes the records of a file and resolves with a summary', async () => {
    writeFileSync(path('in.ndjson'), linesOf(20))

    const summary = await load(optionsOf({ inputs: [path('in.ndjson')] }))

    expect(summary).toMatchObject({
      written: 20,
      rejected: 0,
      isComplete: true,
      isResumed: false,
      checkpoint: undefined,
      error: undefined
    })
    expect(summary.chargedRu).toBeGreaterThan(0)
    expect(emulator.report().containers[0].items).toBe(20)
  })

  it('makes ids for records without an id, even if the plan was created without `requireId`', async () => {
    writeFileSync(path('in.ndjson'), '{"deviceId":"a"}\n{"deviceId":"b","id":"own"}\n{"deviceId":"c","id":7}\n')

    expect(await load(optionsOf({ inputs: [path('in.ndjson')], id: 'position', onError: 'skip' }))).toMatchObject({
      written: 2,
      rejected: 1
    })
    expect(await load(optionsOf({ inputs: [path('in.ndjson')], id: 'field:/id', onError: 'skip' }))).toMatchObject({
      written: 2,
      rejected: 1
    })
    expect(emulator.report().containers[0].items).toBe(3)
  })

  it('applies change data: stores rows, deletes documents, and moves documents whose key changes', async () => {
    const changes = [
      { op: 'r', before: null, after: row('1', 'a', 1) },
      { op: 'c', before: null, after: row('2', 'a', 1) },
      { op: 'c', before: null, after: row('3', 'a', 1) },
      { op: 'u', before: row('2', 'a', 1), after: row('2', 'b', 2) },
      { op: 'u', before: { id: '1' }, after: row('1', 'a', 2) },
      { op: 'd', before: row('3', 'a', 1), after: null },
      null,
      { op: 'm', message: { prefix: 'a' } },
      { schema: null, payload: { op: 'c', before: null, after: row('4', 'd', 1) } }
    ]
    writeFileSync(path('in.ndjson'), changes.map((change) => `${JSON.stringify(change)}\n`).join(''))

    const summary = await load(optionsOf({ inputs: [path('in.ndjson')], changeData: 'debezium' }))

    expect(summary).toMatchObject({ records: 9, written: 7, unchanged: 2, rejected: 0 })
    expect(await storedIn(emulator)).toEqual([
      { id: '1', deviceId: 'a', n: 2, partitionKey: 'a' },
      { id: '2', deviceId: 'b', n: 2, partitionKey: 'b' },
      { id: '4', deviceId: 'd', n: 1, partitionKey: 'd' }
    ])
  })

  it.each([
    ['{"before":null,"after":{"id":"1","deviceId":"a"}}', 'OPERATION_MISSING'],
    ['{"op":"d","before":null,"after":null}', 'BEFORE_MISSING'],
    ['{"op":"t","before":null,"after":null}', 'TRUNCATE_REJECTED'],
    ['{"op":"u","before":null,"after":{"id":"1"}}', 'FIELD_MISSING']
  ])('rejects change data that it cannot apply: %s', async (line, code) => {
    writeFileSync(path('in.ndjson'), `${line}\n`)
    const options = { inputs: [path('in.ndjson')], changeData: 'debezium', onError: { collect: path('bad') } } as const

    expect(await load(optionsOf(options))).toMatchObject({ rejectedByCode: { [code]: 1 }, written: 0 })
    expect(readFileSync(path('bad'), 'utf8')).toContain(JSON.stringify(line).slice(1, -1))
  })

  it('estimates change data by its rows', async () => {
    writeFileSync(path('in.ndjson'), '{"op":"c","after":{"id":"1","deviceId":"a"}}\nnull\n{"op":"x"}\n')

    expect(await estimateLoad(optionsOf({ inputs: [path('in.ndjson')], changeData: 'debezium' }))).toMatchObject({
      records: 1,
      rejected: { OPERATION_UNKNOWN: 1 }
    })
  })

  it.each([
    [{ changeData: 'other' }, '`changeData` must be'],
    [{ changeData: 'debezium', form: 'csv' }, 'CSV has no envelopes'],
    [{ changeData: 'debezium', id: 'hash' }, 'ids cannot be made by `hash`']
  ])('refuses options that do not fit to change data: %j', async (options, message) => {
    writeFileSync(path('in.ndjson'), '')

    await expect(load(optionsOf({ inputs: [path('in.ndjson')], ...options } as never))).rejects.toThrow(message)
  })

  it('throws at a rejected record, calls `onEnd` with the summary, and resumes after the record is corrected', async () => {
    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"bad"}\n${linesOf(10, 10)}`)
    const summaries: LoadSummary[] = []
    const options = optionsOf({ inputs: [path('in.ndjson')], onEnd: (summary) => summaries.push(summary) })

    await expect(load(options)).rejects.toMatchObject({
      code: 'RECORD_REJECTED',
      message: expect.stringContaining('line 11')
    })
    expect(summaries).toMatchObject([
      { isComplete: false, checkpoint: path('in.ndjson.checkpoint'), error: { code: 'RECORD_REJECTED' } }
    ])

    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"good","deviceId":"a"}\n${linesOf(10, 10)}`)
    expect(await load(options)).toMatchObject({ written: 11, isComplete: true, isResumed: true })
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  })

  it('ends early, without an error, when the signal aborts', async () => {
    writeFileSync(path('in.ndjson'), linesOf(10))

    const summary = await load(optionsOf({ inputs: [path('in.ndjson')], signal: AbortSignal.abort() }))

    expect(summary).toMatchObject({ isComplete: false, written: 0, error: undefined })
  })

  it('throws for unknown and invalid options', async () => {
    writeFileSync(path('in.ndjson'), linesOf(1))
    const inputs = [path('in.ndjson')]

    await expect(load({ ...optionsOf({ inputs }), shares: 1 } as LoadOptions)).rejects.toThrow(
      'The option `shares` is not known here; did you mean "share"?'
    )
    await expect(load(optionsOf({ inputs: [] }))).rejects.toThrow(
      '`inputs` must be an array that names at least one file.'
    )
    await expect(load(optionsOf({ inputs, pick: 'a' }))).rejects.toThrow('`pick` needs `form: "array"`.')
    await expect(load(optionsOf({ inputs, maxRejected: -1 }))).rejects.toThrow('`maxRejected` must be a whole number')
  })

  it('estimates a load without writing', async () => {
    writeFileSync(path('in.ndjson'), linesOf(20))

    const estimate = await estimateLoad(optionsOf({ inputs: [path('in.ndjson')] }))

    expect(estimate).toMatchObject({ records: 20, recordsInAll: 20, isCut: false, keys: 4, rejected: {} })
    expect(emulator.report().containers[0].items).toBe(0)
  })

  function optionsOf(options: Partial<LoadOptions> & Pick<LoadOptions, 'inputs'>): LoadOptions {
    return { endpoint: emulator.endpoint, key: emulator.key, database: 'fleet', container: 'drives', plan, ...options }
  }
})

function row(id: string, deviceId: string, n: number): object {
  return { id, deviceId, n }
}

function linesOf(count: number, first = 0): string {
  return Array.from(
    { length: count },
    (_, n) => `${JSON.stringify({ id: `r${first + n}`, deviceId: `d${(first + n) % 4}` })}\n`
  ).join('')
}

/** The documents of the container without the properties of Cosmos DB, by id. */
async function storedIn({ endpoint }: Emulator): Promise<unknown[]> {
  const response = await fetch(`${endpoint}dbs/fleet/colls/drives/docs`, { headers: { 'x-ms-max-item-count': '-1' } })
  const { Documents } = (await response.json()) as { readonly Documents: readonly Record<string, unknown>[] }
  return Documents.map((document) =>
    Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')))
  ).toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])))
}
