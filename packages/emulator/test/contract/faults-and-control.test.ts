import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bulkHeaders, openWire, type Wire, type WireAnswer } from './wire.ts'

describe.skipIf(process.env['KEYSTAMP_TEST_COSMOS_ENDPOINT'] !== undefined)('the emulator control API', () => {
  let wire: Wire
  let docs: string
  let name: string
  beforeAll(async () => {
    wire = await openWire()
    const path = await wire.container()
    docs = `${path}/docs`
    name = path.split('/').at(-1)!
  })
  afterAll(() => wire.stop())
  afterEach(() => wire.emulator!.faults.clear())

  const create = (id: string): Promise<WireAnswer> => wire.call('POST', docs, { key: ['a'], body: { id, pk: 'a' } })
  const read = (id: string): Promise<WireAnswer> => wire.call('GET', `${docs}/${id}`, { key: ['a'] })

  async function control(
    method: string,
    path: string,
    body?: unknown
  ): Promise<{ status: number; body: WireAnswer['body'] }> {
    const response = await fetch(`${wire.endpoint}_control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }

  describe('faults', () => {
    it.each([
      [408, 0],
      [449, 0],
      [500, 0],
      [503, 0],
      [403, 3],
      [404, 1003],
      [410, 1000],
      [410, 1007]
    ])('answer with %i/%i and do not apply the request', async (status, subStatus) => {
      wire.emulator!.faults.inject({
        on: 'create',
        count: 1,
        action: { kind: 'status', status, subStatus, retryAfterMs: 5 }
      })
      const struck = await create(`s${status}-${subStatus}`)

      expect(struck).toMatchObject({ status, subStatus })
      expect(struck.headers.get('x-ms-retry-after-ms')).toBe('5')
      expect((await read(`s${status}-${subStatus}`)).status).toBe(404)
      expect((await create(`s${status}-${subStatus}`)).status).toBe(201)
    })

    it('reset the connection before or after the request is applied', async () => {
      wire.emulator!.faults.inject({ on: 'create', id: 'reset', action: { kind: 'reset' } })
      wire.emulator!.faults.inject({ on: 'create', id: 'dropped', action: { kind: 'applyThenDrop' } })

      await expect(create('reset')).rejects.toThrow('fetch failed')
      await expect(create('dropped')).rejects.toThrow('fetch failed')
      expect((await read('reset')).status).toBe(404)
      expect((await read('dropped')).status).toBe(200)
    })

    it('let the request be applied, and then answer with an error or late', async () => {
      wire.emulator!.faults.inject({ on: 'create', id: 'ambiguous', action: { kind: 'applyThenStatus', status: 503 } })
      wire.emulator!.faults.inject({ on: 'create', id: 'late', action: { kind: 'applyThenDelay', ms: 60 } })
      wire.emulator!.faults.inject({ on: 'read', id: 'late', action: { kind: 'delay', ms: 60 } })

      expect((await create('ambiguous')).status).toBe(503)
      expect((await read('ambiguous')).status).toBe(200)
      const begun = performance.now()
      expect((await create('late')).status).toBe(201)
      expect((await read('late')).status).toBe(200)
      expect(performance.now() - begun).toBeGreaterThan(115)
    })

    it('answer with an empty body, with HTML, with a shorter array, or with another date', async () => {
      const { faults } = wire.emulator!
      faults.inject({ on: 'create', id: 'empty', action: { kind: 'emptyBody' } })
      faults.inject({ on: 'create', id: 'html', action: { kind: 'htmlBody' } })
      faults.inject({ on: 'bulk', action: { kind: 'shortAnswer' } })
      faults.inject({ on: 'account', action: { kind: 'clockSkew', ms: 3_600_000 } })
      const operations = ['x', 'y'].map((id) => ({
        operationType: 'Upsert',
        partitionKey: '["a"]',
        resourceBody: { id, pk: 'a' }
      }))

      expect(await create('empty')).toMatchObject({ status: 503, text: '' })
      const html = await create('html')
      expect([html.status, html.headers.get('content-type')]).toEqual([502, 'text/html'])
      expect((await wire.call('POST', docs, { headers: bulkHeaders('0'), body: operations })).body).toHaveLength(1)
      const skewed = Date.parse((await wire.call('GET', '/')).headers.get('date')!)
      expect(skewed - Date.now()).toBeGreaterThan(3_000_000)
    })

    it('apply to single operations of a bulk request', async () => {
      const { faults } = wire.emulator!
      faults.inject({
        on: 'bulkOperation',
        operationType: 'Create',
        id: 'b1',
        action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 9 }
      })
      faults.inject({ on: 'bulkOperation', id: 'b2', action: { kind: 'applyThenStatus', status: 408 } })
      const operations = ['b1', 'b2', 'b3'].map((id) => ({
        operationType: 'Create',
        partitionKey: '["a"]',
        resourceBody: { id, pk: 'a' }
      }))
      const { body } = await wire.call('POST', docs, { headers: bulkHeaders('0'), body: operations })

      expect(body.map((element: { statusCode: number }) => element.statusCode)).toEqual([429, 408, 201])
      expect(body[0].retryAfterMilliseconds).toBe(9)
      expect([(await read('b1')).status, (await read('b2')).status]).toEqual([404, 200])
    })

    it('can be limited by a number of requests, a range, a group of operations or a probability', async () => {
      const { faults } = wire.emulator!
      const id = faults.inject({ on: 'read', range: '0', after: 1, count: 2, action: { kind: 'status', status: 503 } })
      const seen = []
      for (let i = 0; i < 5; i++) seen.push((await read('absent')).status)

      expect(seen).toEqual([404, 503, 503, 404, 404])
      expect(faults.list()).toMatchObject([{ id, matched: 5, applied: 2 }])
      faults.clear(id)
      faults.inject({ on: 'write', range: '7', action: { kind: 'status', status: 503 } })
      faults.inject({ on: 'read', probability: 0, action: { kind: 'status', status: 503 } })
      expect([(await create('group')).status, (await read('group')).status]).toEqual([201, 200])
    })

    it.each([
      [{}, /'action'/],
      [{ action: { kind: 'explode' } }, /one of status/],
      [{ on: 'creat', action: { kind: 'reset' } }, /"creat"/],
      [{ on: ['read', 5], action: { kind: 'reset' } }, /5/],
      [{ action: { kind: 'status' } }, /'status'/],
      [{ action: { kind: 'reset' }, rnge: '0' }, /'rnge'/],
      [{ action: { kind: 'reset' }, count: 'all' }, /'count'/]
    ])('that are malformed are refused: %j', async (rule, message) => {
      const { status, body } = await control('POST', 'faults', rule)

      expect(status).toBe(400)
      expect(body.message).toMatch(message)
    })
  })

  describe('over HTTP', () => {
    it('injects, lists and ends faults', async () => {
      const { status, body } = await control('POST', 'faults', { on: 'read', action: { kind: 'status', status: 503 } })
      expect(status).toBe(201)
      expect((await read('unmade')).status).toBe(503)
      expect((await control('GET', 'faults')).body).toMatchObject([{ id: body.id, applied: 1 }])
      expect((await control('DELETE', `faults/${body.id}`)).status).toBe(204)
      expect((await read('unmade')).status).toBe(404)
    })

    it('splits and merges ranges, either at once or in two steps with `hold`', async () => {
      const ranges = `databases/${wire.database}/containers/${name}/ranges`
      const { body } = await control('POST', `${ranges}/0/split`)
      expect(body.children).toEqual(['1', '2'])
      expect(await control('POST', `${ranges}/1/merge`, { hold: true })).toMatchObject({
        status: 202,
        body: { phase: 'merging' }
      })
      expect((await control('POST', `${ranges}/complete`)).status).toBe(204)
      const { body: listed } = await wire.call('GET', docs.replace('/docs', '/pkranges'))
      expect(listed.PartitionKeyRanges.map((range: { id: string }) => range.id)).toEqual(['3'])
      expect((await control('POST', `${ranges}/9/split`)).status).toBe(404)
    })

    it('returns the applied writes of an item in order', async () => {
      await create('logged')
      await wire.call('PUT', `${docs}/logged`, { key: ['a'], body: { id: 'logged', pk: 'a', n: 1 } })
      await create('logged')
      await wire.call('DELETE', `${docs}/logged`, { key: ['a'] })
      const { body } = await control('GET', `operations?container=${name}&id=logged`)

      expect(body.map((write: { operation: string }) => write.operation)).toEqual(['Create', 'Replace', 'Delete'])
      expect(body[0].partitionKey).toBe('["a"]')
      expect(body[0].sequence).toBeLessThan(body[1].sequence)
      expect((await control('GET', 'operations?pk=a')).body.message).toMatch(/'pk'/)
      expect((await control('DELETE', 'operations')).status).toBe(204)
      expect((await control('GET', 'operations')).body).toEqual([])
    })

    it('returns a report, switches throttling on and off, and advances the clock', async () => {
      expect((await control('GET', 'report')).body.containers[0].ranges[0].provisionedRuPerSecond).toBe(400)
      expect((await control('PUT', 'throttle', true)).status).toBe(204)
      expect((await control('GET', 'report')).body.isThrottling).toBe(true)
      expect((await control('PUT', 'throttle', false)).status).toBe(204)
      expect((await control('POST', 'clock', { advanceMs: 60_000 })).body.nowMs).toBeGreaterThan(Date.now() + 50_000)
      expect((await control('POST', 'clock', {})).status).toBe(400)
    })

    it('moves the clock back, but not before 1970 and not beyond the year 9999', async () => {
      const { body: before } = await control('GET', 'clock')
      for (const advanceMs of ['1e300', '1e400', '-1e300', '-1e16', 'null', '"1"', '1e16']) {
        const answer = await fetch(`${wire.endpoint}_control/clock`, {
          method: 'POST',
          body: `{"advanceMs":${advanceMs}}`
        })
        expect(answer.status).toBe(400)
      }
      expect((await control('POST', 'clock', { advanceMs: 1e300 })).body.message).toContain(
        'The clock cannot advance by 1e+300 ms: it must stay between the years 1970 and 9999.'
      )
      expect(() => wire.emulator!.clock.advance(Number.NaN)).toThrow('The clock cannot advance by NaN ms')
      expect((await control('GET', 'clock')).body.nowMs).toBeLessThan(before.nowMs + 60_000)
      expect((await control('POST', 'clock', { advanceMs: -3_600_000 })).body.nowMs).toBeLessThan(before.nowMs)
    })

    it('refuses unknown paths, unknown methods and requests of browsers', async () => {
      expect((await control('GET', 'nothing')).status).toBe(404)
      expect((await control('PATCH', 'faults')).status).toBe(405)
      const fromPage = await fetch(`${wire.endpoint}_control/reset`, {
        method: 'POST',
        headers: { origin: 'https://example.com' }
      })
      expect(fromPage.status).toBe(403)
    })

    it('drops all data on a reset', async () => {
      const other = await openWire()
      await fetch(`${other.endpoint}_control/reset`, { method: 'POST' })

      expect((await other.call('GET', `/dbs/${other.database}`)).status).toBe(404)
      await other.stop()
    })

    it('requires a token if other machines can reach the emulator, or if the option `controlToken` is set', async () => {
      const guarded = await openWire({ controlToken: 'secret' })
      const ask = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`${guarded.endpoint}_control/report`, { headers })).status

      expect([
        await ask({}),
        await ask({ authorization: 'Bearer wrong' }),
        await ask({ authorization: 'Bearer secret' })
      ]).toEqual([401, 401, 200])
      await guarded.stop()
      const open = await openWire({ host: '0.0.0.0' })
      expect(open.emulator?.controlToken).toMatch(/^[0-9a-f]{32}$/)
      expect((await fetch(`${open.endpoint}_control/report`)).status).toBe(401)
      await open.stop()
    })
  })
})
