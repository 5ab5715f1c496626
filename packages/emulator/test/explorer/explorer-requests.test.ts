import { createHash } from 'node:crypto'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import type { LiveReport } from '../../src/explorer/live-report.ts'
import { openExplorer, send } from './open-explorer.ts'

let emulator: Emulator

afterEach(() => emulator.stop())

async function start(options: Parameters<typeof startEmulator>[0] = {}): Promise<Emulator> {
  emulator = await startEmulator({ ranges: 2, containers: ['d/c:/pk'], ...options })
  return emulator
}

const FOREIGN = 'http://evil.example'

describe('the page at /_explorer', () => {
  it('is one file whose policy allows its own script and styles only', async () => {
    await start()
    const { status, headers, text } = await send(emulator, 'GET', '/_explorer')
    const policy = String(headers['content-security-policy'])
    const hashOf = (pattern: RegExp): string =>
      `'sha256-${createHash('sha256').update(pattern.exec(text)![1]).digest('base64')}'`

    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(policy).toContain(`script-src ${hashOf(/<script type="module">([^]*?)<\/script>/)};`)
    expect(policy).toContain(`style-src ${hashOf(/<style>([^]*?)<\/style>/)};`)
    expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/)
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/(?:src|href)="(?!data:)/)
  })

  it('is not readable for other origins: no answer has a header that allows them', async () => {
    await start()
    const headers = { origin: FOREIGN }
    const replies = await Promise.all([
      send(emulator, 'GET', '/_explorer', headers),
      send(emulator, 'OPTIONS', '/_explorer/live', headers),
      send(emulator, 'OPTIONS', '/dbs', headers)
    ])

    expect(
      replies.flatMap((reply) => Object.keys(reply.headers)).filter((name) => /access-control/.test(name))
    ).toEqual([])
    expect(replies[0].headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  it('contains no token if the emulator has a control token, which the requests of the page then need', async () => {
    await start({ controlToken: 'secret-7' })
    const { page, ask } = await openExplorer(emulator)

    expect(page).toContain('{"token":null}')
    expect(page).not.toContain('secret-7')
    expect((await ask('GET', 'live')).status).toBe(401)
    expect((await ask('GET', 'live', { 'x-explorer-token': 'secret-7' })).status).toBe(200)
    expect(emulator.explorer).toBe(`${emulator.endpoint}_explorer#token=secret-7`)
  })
})

describe('a request under /_explorer', () => {
  it('is refused without the token of the page', async () => {
    await start()
    const { ask } = await openExplorer(emulator)

    for (const path of ['live', 'control/report', 'data/dbs']) {
      expect((await ask('GET', path)).status).toBe(200)
      expect((await ask('GET', path, { 'x-explorer-token': '' })).status).toBe(401)
    }
  })

  it.each([
    ['the origin of another site', { origin: FOREIGN }],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['the origin of a sandboxed frame', { origin: 'null' }],
    ['a browser says that it comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser says that it comes from another port', { 'sec-fetch-site': 'same-site' }]
  ])('is refused with %s, also with the token', async (_title, headers) => {
    await start()
    const { ask } = await openExplorer(emulator)

    const created = await ask('POST', 'data/dbs', headers, '{"id":"x"}')
    const injected = await ask('POST', 'control/faults', headers, '{"action":{"kind":"reset"}}')

    expect([created.status, injected.status]).toEqual([403, 403])
    expect((await send(emulator, 'GET', '/_control/faults')).text).toBe('[]')
    expect(emulator.report().containers).toHaveLength(1)
  })

  it('is refused under a host name that is not a name of the emulator, which stops DNS rebinding', async () => {
    await start()
    const { ask } = await openExplorer(emulator)
    const host = 'evil.example:8081'

    expect((await send(emulator, 'GET', '/_explorer', { host })).status).toBe(403)
    expect((await ask('GET', 'live', { host })).status).toBe(403)
    expect((await ask('POST', 'data/dbs', { host, origin: `http://${host}` }, '{"id":"x"}')).status).toBe(403)
  })

  it.each([
    'localhost:8081',
    '127.0.0.1',
    '[::1]:8081',
    '10.1.2.3:8081',
    'cosmos:8081',
    'host.docker.internal:8081',
    'Db.Corp.example.'
  ])('is accepted under the host name %s', async (host) => {
    await start({ certificateNames: ['db.corp.example'] })
    const { ask } = await openExplorer(emulator)

    expect((await ask('GET', 'live', { host })).status).toBe(200)
  })

  it('reads and writes items through the data plane, with its charges and errors', async () => {
    await start()
    const { ask } = await openExplorer(emulator)
    const key = { 'x-ms-documentdb-partitionkey': '["a"]' }

    const created = await ask('POST', 'data/dbs/d/colls/c/docs', key, '{"id":"ä/1","pk":"a"}'.replace('/', '-'))
    const stale = await ask('DELETE', `data/dbs/d/colls/c/docs/${encodeURIComponent('ä-1')}`, {
      ...key,
      'if-match': '"old"'
    })

    expect([created.status, stale.status]).toEqual([201, 412])
    expect(Number(created.headers['x-ms-request-charge'])).toBeGreaterThan(1)
  })

  it('serves sorted and aggregated queries over all ranges, which the ordinary data plane refuses', async () => {
    await start({ auth: 'off' })
    const { ask } = await openExplorer(emulator)
    const headers = {
      'content-type': 'application/query+json',
      'x-ms-documentdb-isquery': 'True',
      'x-ms-documentdb-query-enablecrosspartition': 'True'
    }
    const body = JSON.stringify({ query: 'SELECT VALUE COUNT(1) FROM c' })

    expect((await send(emulator, 'POST', '/dbs/d/colls/c/docs', headers, body)).status).toBe(400)
    expect(JSON.parse((await ask('POST', 'data/dbs/d/colls/c/docs', headers, body)).text)).toMatchObject({
      Documents: [0]
    })
  })

  it('answers 404 to an unknown path', async () => {
    await start()
    const { ask } = await openExplorer(emulator)

    expect((await ask('GET', 'nothing')).status).toBe(404)
    expect((await ask('GET', 'data/_control/report')).status).toBe(404)
  })
})

describe('requests of other web pages in the browser of a developer', () => {
  it('are refused by the data plane, even if it requires no signature', async () => {
    await start({ auth: 'off' })
    const refused = await send(
      emulator,
      'POST',
      '/dbs',
      { origin: FOREIGN, 'content-type': 'text/plain' },
      '{"id":"x"}'
    )

    expect(refused.status).toBe(403)
    expect(refused.text).toContain('Requests of web pages are refused')
    expect((await send(emulator, 'GET', '/dbs/x')).status).toBe(404)
    expect((await send(emulator, 'POST', '/dbs', {}, '{"id":"x"}')).status).toBe(201)
  })

  it('are refused by the control path, also under a host name of their own', async () => {
    await start()

    expect((await send(emulator, 'POST', '/_control/reset', { origin: FOREIGN })).status).toBe(403)
    expect((await send(emulator, 'GET', '/_control/report', { host: 'evil.example' })).status).toBe(403)
    expect((await send(emulator, 'GET', '/_control/report', { host: 'cosmos:8081' })).status).toBe(200)
  })
})

describe('the live state of the page', () => {
  it('has the ranges of the chosen container once, and the usage since a second', async () => {
    let now = 1_800_000_000_000
    await start({ now: () => now, throttle: true })
    const { ask } = await openExplorer(emulator)
    const live = async (search: string) =>
      JSON.parse((await ask('GET', `live?database=d&container=c&${search}`)).text) as LiveReport
    const write = (id: string) =>
      ask('POST', 'data/dbs/d/colls/c/docs', { 'x-ms-documentdb-partitionkey': '["a"]' }, `{"id":"${id}","pk":"a"}`)
    await write('1')
    now += 1000
    await write('2')

    const { container: first, databases, throttle } = await live('')
    const { container: second } = await live(
      `known=${encodeURIComponent(`${first!.rid}/${first!.revision}`)}&since=1800000001`
    )

    expect(databases).toEqual([{ id: 'd', containers: [{ id: 'c', items: 2 }] }])
    expect(throttle).toEqual({})
    expect(first!.ranges!.map(({ id, from, to }) => [id, from, to])).toEqual([
      ['0', 0, 0.5],
      ['1', 0.5, 1]
    ])
    expect(first!.provisioned).toEqual([200, 200])
    expect(first!.seconds.map(([, at]) => at)).toEqual([1_800_000_000, 1_800_000_001])
    expect(second!.ranges).toBeUndefined()
    expect(second!.seconds.map(([, at]) => at)).toEqual([1_800_000_001])
  })
})
