import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/client/transport.ts'
import { startProxy } from './start-proxy.ts'
import type { Received } from './start-server.ts'
import { answersOf, fakeTimers, requestOf, useHttpTransport } from './use-http-transport.ts'

const http = useHttpTransport()

describe('a request', () => {
  it('has the headers of the bulk format and those of the writer, and returns a response for each operation', async () => {
    await http.open(({ response }) => response.end(answersOf(2)), { headers: { 'x-ms-cosmos-priority-level': 'Low' } })

    const answer = await http.transport.send(requestOf(2))

    expect(answer).toEqual({ kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 201 }] })
    const [{ request, body }] = http.server.received
    expect(body).toBe('[{"n":0},{"n":1}]')
    expect(request.url).toBe('/dbs/my%20db/colls/c/docs')
    expect(request.headers).toMatchObject({
      host: new URL(http.server.endpoint).host,
      authorization: 'signed:POST docs dbs/my db/colls/c',
      'content-length': '17',
      'x-ms-cosmos-is-batch-request': 'true',
      'x-ms-cosmos-batch-atomic': 'false',
      'x-ms-cosmos-batch-continue-on-error': 'true',
      'x-ms-documentdb-partitionkeyrangeid': '7',
      prefer: 'return=minimal',
      'x-ms-cosmos-priority-level': 'Low'
    })
  })

  it('has its own activity id, a GUID', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))

    for (let index = 0; index < 20; index++) await http.transport.send(requestOf(1))

    const ids = http.server.received.map(({ request }) => String(request.headers['x-ms-activity-id']))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  })

  it('has the key of an atomic batch in a header, in ASCII', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))

    await http.transport.send({ ...requestOf(1), atomicKey: '["Škoda"]' })

    const { headers } = http.server.received[0].request
    expect(headers).toMatchObject({
      'x-ms-cosmos-batch-atomic': 'true',
      'x-ms-documentdb-partitionkey': '["\\u0160koda"]'
    })
    expect(headers['x-ms-documentdb-partitionkeyrangeid']).toBeUndefined()
  })

  it('is not sent while the endpoint of the account is not known', async () => {
    await http.open(() => {}, { endpoint: () => Promise.reject(new Error('no account')) })

    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: false })
    expect(http.server.received).toHaveLength(0)
  })

  it.each([
    ['before it has a connection', 0, 'over a new connection'],
    ['while its connection is being established', 1, 'over a new connection'],
    ['directly before the write', 1, 'over a kept connection']
  ])('L5 is withheld if the permission to send ends %s', async (_when, granted, which) => {
    await http.open(({ response }) => response.end(answersOf(1)))
    if (which === 'over a kept connection') await http.transport.send(requestOf(1))
    let asked = 0
    const before = http.server.received.length

    const answer = http.transport.send({ ...requestOf(1), maySend: () => asked++ < granted })

    // not asked in the turn of the call, in which the permission is still valid
    expect(asked).toBe(0)
    expect(await answer).toEqual({ kind: 'withheld' })
    expect(asked).toBe(granted + 1)
    expect(http.server.received).toHaveLength(before)
    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
  })

  it('reports that its bytes were written and that it was answered, with its activity id', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))
    const reported: string[] = []
    const wasWritten = (id: string): unknown => reported.push(`written ${id}`)
    const wasAnswered = (id: string, { kind }: Answer): unknown => reported.push(`${kind} ${id}`)

    for (const bytes of [1, 100_000]) {
      await http.transport.send({ ...requestOf(1), body: Buffer.alloc(bytes, ' '), wasWritten, wasAnswered })
    }

    const [small, large] = http.server.received.map(({ request }) => String(request.headers['x-ms-activity-id']))
    // reported after the write, and again when the operating system has accepted the bytes
    expect(reported).toEqual([small, large].flatMap((id) => [`written ${id}`, `written ${id}`, `answered ${id}`]))
  })

  it.each([
    ['is never answered', (_: Received, pass: (ms: number) => void): unknown => pass(40)],
    ['is read before its connection is reset', ({ request }: Received): unknown => request.socket.resetAndDestroy()]
  ])('L5 that %s is reported as unanswered', async (_how, answer) => {
    const pass = fakeTimers()
    await http.open((received) => answer(received, pass), { timeoutMs: 40 })
    const reported: [string, string][] = []

    await http.transport.send({ ...requestOf(1), wasAnswered: (id, { kind }) => reported.push([id, kind]) })

    expect(reported).toEqual([[String(http.server.received[0].request.headers['x-ms-activity-id']), 'unanswered']])
  })

  it('arrives unchanged if it is large', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))
    const body = Buffer.from(JSON.stringify(['x'.repeat(150_000), 'the last byte is a bracket']))

    expect(await http.transport.send({ ...requestOf(1), body })).toMatchObject({ kind: 'answered' })
    expect(http.server.received[0].body).toBe(body.toString())
  })

  it('L5 withholds its last byte if the connection accepts the other bytes too slowly', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))
    const proxy = await startProxy(Number(new URL(http.server.endpoint).port))
    http.reopen({ endpoint: () => Promise.resolve(`http://127.0.0.1:${proxy.port}/`) })
    let mayGo = true
    proxy.hold()
    // more than the buffers of two operating systems
    const answer = http.transport.send({ ...requestOf(1), body: Buffer.alloc(40_000_000, ' '), maySend: () => mayGo })
    await proxy.held()

    mayGo = false
    proxy.release()

    expect(await answer).toEqual({ kind: 'withheld' })
    expect(http.server.received).toHaveLength(0)
    await proxy.stop()
  })

  it('is not sent if signing fails, and throws the cause', async () => {
    await http.open(() => {}, { sign: () => Promise.reject(new Error('no token')) })

    await expect(http.transport.send(requestOf(1))).rejects.toThrow('no token')
  })
})
