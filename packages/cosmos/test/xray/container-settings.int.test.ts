import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openXray, type Xray } from '../../src/index.ts'
import { useXrayedContainers } from './start-xray.ts'

const startXrayed = useXrayedContainers()

describe('settings of a container', () => {
  it('are the properties of its JSON without identity, links and statistics', async () => {
    const { open, define } = await startXrayed()
    await define({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/plate'] }] }, defaultTtl: 60 })

    const { settings } = await open().facts()

    expect(settings).toMatchObject({
      defaultTtl: 60,
      indexingPolicy: { indexingMode: 'consistent' },
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/plate'] }] }
    })
    const names = Object.keys(settings)
    expect(names.filter((name) => name.startsWith('_') || ['id', 'partitionKey', 'statistics'].includes(name))).toEqual(
      []
    )
  })

  it('say that a serverless account refuses the offer', async () => {
    const { emulator, open } = await startXrayed()
    expect(await open().facts()).toMatchObject({ isServerless: false })

    emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 400 } })
    expect(await open().facts()).toMatchObject({ isServerless: true, offer: null })
  })
})

describe('versionsFeed', () => {
  it('tells that a container has no change feed of all versions and deletes', async () => {
    const { open } = await startXrayed()

    expect(await open().versionsFeed()).toEqual({ isOn: false, retentionMinutes: null, previousImages: null })
  })

  it.each([
    [{}, null],
    [{ supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } }, 'all'],
    [{ supportedFeatures: { allVersionsAndDeletes: { mode: 2 } } }, 'deletes'],
    [{ mode: 1 }, 'replaces'],
    [{ mode: 0 }, 'none']
  ])('tells its retention, and the previous images of %j', async (previousImageRetentionPolicy, previousImages) => {
    const { open, define } = await startXrayed()
    await define({ changeFeedPolicy: { retentionDuration: 600 }, previousImageRetentionPolicy })

    expect(await open().versionsFeed()).toEqual({ isOn: true, retentionMinutes: 600, previousImages })
  })

  it('is unknown if it is refused for another reason', async () => {
    const { emulator, open } = await startXrayed()
    const xray = open()
    await xray.facts()
    emulator.faults.inject({ on: 'changeFeed', action: { kind: 'status', status: 403, subStatus: 5300 } })

    expect(await xray.versionsFeed()).toEqual({ unknown: expect.stringMatching(/^Refused: .* \(403\/5300\)/) })
  })
})

describe('sample', () => {
  it('keeps system properties only on request', async () => {
    const { write, open } = await startXrayed()
    await write([{ id: '1', key: 'a' }])
    const xray = open()

    expect((await xray.sample(10)).sample).toEqual([{ id: '1', key: 'a' }])
    expect((await xray.sample(10, { keepsSystemProperties: true })).sample).toEqual([
      expect.objectContaining({ id: '1', _ts: expect.any(Number), _etag: expect.any(String) })
    ])
  })
})

describe('scripts', () => {
  let server: Server | undefined
  let xray: Xray | undefined

  afterEach(async () => {
    xray?.close()
    await new Promise((resolve) => {
      if (server === undefined) resolve(undefined)
      else server.close(resolve)
    })
    server = undefined
  })

  it('are unknown in the emulator, which has none: says where they can be read', async () => {
    const { open } = await startXrayed()

    expect(await open().scripts()).toEqual({
      unknown:
        'This endpoint is an emulator without JavaScript (it answers 501). A dry run against the account in Azure lists them.'
    })
  })

  it('are read page by page', async () => {
    const lists: Readonly<Record<string, string>> = {
      '/dbs/d/colls/c/sprocs': '{"StoredProcedures":[{"id":"b","body":"secret"}]}',
      '/dbs/d/colls/c/triggers': '{"Triggers":[]}',
      '/dbs/d/colls/c/udfs': '{"UserDefinedFunctions":[{"id":"toKm"}]}'
    }
    server = createServer(({ url = '', headers }, answer) => {
      const isFirst = url.endsWith('/sprocs') && headers['x-ms-continuation'] === undefined
      if (isFirst) answer.setHeader('x-ms-continuation', 'next')
      answer.end(isFirst ? '{"StoredProcedures":[{"id":"c"},{"id":"a"}]}' : (lists[url] ?? '{}'))
    })
    await new Promise((resolve) => {
      server!.listen(0, '127.0.0.1', () => resolve(undefined))
    })
    const { port } = server.address() as AddressInfo
    const endpoint = `http://127.0.0.1:${port}/`
    xray = openXray({
      endpoint,
      key: 'AAAA',
      database: 'd',
      container: 'c',
      maxRuPerSecond: 1000,
      random: Math.random
    })

    expect(await xray.scripts()).toEqual({ storedProcedures: ['a', 'b', 'c'], triggers: [], functions: ['toKm'] })
  })
})
