import { afterEach, describe, expect, it } from 'vitest'
import { createHttpTransport, type HttpTransportOptions } from '../../src/client/http-transport.ts'
import type { Answer, Request, Transport } from '../../src/client/transport.ts'
import { startProxy } from './start-proxy.ts'
import { type Received, startServer, type TestServer } from './start-server.ts'

let server: TestServer
let transport: Transport

afterEach(async () => {
  transport.close()
  await server.stop()
})

describe('a request', () => {
  it('has the headers of the bulk format, and returns a response for each operation', async () => {
    await open(({ response }) => response.end(answersOf(2)))

    const answer = await transport.send(requestOf(2))

    expect(answer).toEqual({ kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 201 }] })
    const [{ request, body }] = server.received
    expect(body).toBe('[{"n":0},{"n":1}]')
    expect(request.url).toBe('/dbs/my%20db/colls/c/docs')
    expect(request.headers).toMatchObject({
      host: new URL(server.endpoint).host,
      authorization: 'signed:POST docs dbs/my db/colls/c',
      'content-length': '17',
      'x-ms-cosmos-is-batch-request': 'true',
      'x-ms-cosmos-batch-atomic': 'false',
      'x-ms-cosmos-batch-continue-on-error': 'true',
      'x-ms-documentdb-partitionkeyrangeid': '7',
      prefer: 'return=minimal'
    })
  })

  it('has its own activity id, a GUID', async () => {
    await open(({ response }) => response.end(answersOf(1)))

    for (let index = 0; index < 20; index++) await transport.send(requestOf(1))

    const ids = server.received.map(({ request }) => String(request.headers['x-ms-activity-id']))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  })

  it('has the key of an atomic batch in a header, in ASCII', async () => {
    await open(({ response }) => response.end(answersOf(1)))

    await transport.send({ ...requestOf(1), atomicKey: '["Škoda"]' })

    const { headers } = server.received[0].request
    expect(headers).toMatchObject({
      'x-ms-cosmos-batch-atomic': 'true',
      'x-ms-documentdb-partitionkey': '["\\u0160koda"]'
    })
    expect(headers['x-ms-documentdb-partitionkeyrangeid']).toBeUndefined()
  })

  it('is not sent while the endpoint of the account is not known', async () => {
    await open(() => {}, { endpoint: () => Promise.reject(new Error('no account')) })

    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: false })
    expect(server.received).toHaveLength(0)
  })

  it.each([
    ['before it has a connection', 0, 'over a new connection'],
    ['while its connection is being established', 1, 'over a new connection'],
    ['directly before the write', 1, 'over a kept connection']
  ])('L5 is withheld if the permission to send ends %s', async (_when, granted, which) => {
    await open(({ response }) => response.end(answersOf(1)))
    if (which === 'over a kept connection') await transport.send(requestOf(1))
    let asked = 0
    const before = server.received.length

    const answer = transport.send({ ...requestOf(1), maySend: () => asked++ < granted })

    // not asked in the turn of the call, in which the permission is still valid
    expect(asked).toBe(0)
    expect(await answer).toEqual({ kind: 'withheld' })
    expect(asked).toBe(granted + 1)
    expect(server.received).toHaveLength(before)
    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
  })

  it('reports that its bytes were written and that it was answered, with its activity id', async () => {
    await open(({ response }) => response.end(answersOf(1)))
    const reported: string[] = []
    const wasWritten = (id: string): unknown => reported.push(`written ${id}`)
    const wasAnswered = (id: string, { kind }: Answer): unknown => reported.push(`${kind} ${id}`)

    for (const bytes of [1, 100_000]) {
      await transport.send({ ...requestOf(1), body: Buffer.alloc(bytes, ' '), wasWritten, wasAnswered })
    }

    const [small, large] = server.received.map(({ request }) => String(request.headers['x-ms-activity-id']))
    // reported after the write, and again when the operating system has accepted the bytes
    expect(reported).toEqual([small, large].flatMap((id) => [`written ${id}`, `written ${id}`, `answered ${id}`]))
  })

  it.each([
    ['is never answered', () => {}],
    ['is read before its connection is reset', ({ request }: Received): unknown => request.socket.resetAndDestroy()]
  ])('L5 that %s is reported as unanswered', async (_how, answer) => {
    await open(answer, { timeoutMs: 40 })
    const reported: [string, string][] = []

    await transport.send({ ...requestOf(1), wasAnswered: (id, { kind }) => reported.push([id, kind]) })

    expect(reported).toEqual([[String(server.received[0].request.headers['x-ms-activity-id']), 'unanswered']])
  })

  it('arrives unchanged if it is large', async () => {
    await open(({ response }) => response.end(answersOf(1)))
    const body = Buffer.from(JSON.stringify(['x'.repeat(150_000), 'the last byte is a bracket']))

    expect(await transport.send({ ...requestOf(1), body })).toMatchObject({ kind: 'answered' })
    expect(server.received[0].body).toBe(body.toString())
  })

  it('L5 withholds its last byte if the connection accepts the other bytes too slowly', async () => {
    await open(({ response }) => response.end(answersOf(1)))
    const proxy = await startProxy(Number(new URL(server.endpoint).port))
    transport.close()
    transport = createHttpTransport({
      ...optionsOf(),
      endpoint: () => Promise.resolve(`http://127.0.0.1:${proxy.port}/`)
    })
    let mayGo = true
    proxy.hold()
    // more than the buffers of two operating systems
    const answer = transport.send({ ...requestOf(1), body: Buffer.alloc(40_000_000, ' '), maySend: () => mayGo })
    await proxy.held()

    mayGo = false
    proxy.release()

    expect(await answer).toEqual({ kind: 'withheld' })
    expect(server.received).toHaveLength(0)
    await proxy.stop()
  })

  it('is not sent if signing fails, and throws the cause', async () => {
    await open(() => {}, { sign: () => Promise.reject(new Error('no token')) })

    await expect(transport.send(requestOf(1))).rejects.toThrow('no token')
  })
})

describe('a connection', () => {
  it('is kept and reused', async () => {
    await open(({ response }) => response.end(answersOf(1)))

    for (let index = 0; index < 5; index++) await transport.send(requestOf(1))

    expect(server.connections()).toBe(1)
  })

  it('is not shared by concurrent requests, so that no request waits for another', async () => {
    const waiting: Received[] = []
    await open((received) => {
      if (waiting.push(received) === 3) for (const { response } of waiting.toReversed()) response.end(answersOf(1))
    })

    await Promise.all([1, 2, 3].map(() => transport.send(requestOf(1))))

    expect(server.connections()).toBe(3)
  })

  it('that the service closes after a response is not reused', async () => {
    await open(({ response }) => response.writeHead(200, { connection: 'close' }).end(answersOf(1)))

    await transport.send(requestOf(1))

    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(server.connections()).toBe(2)
  })

  it('that the service closes while it is idle is not reused', async () => {
    await open(({ response }) => response.end(answersOf(1)))
    await transport.send(requestOf(1))

    await server.closeIdle()

    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(server.connections()).toBe(2)
  })

  it('that cannot be established is reported as not sent', async () => {
    await open(() => {}, { endpoint: () => Promise.resolve('http://127.0.0.1:1/') })

    expect(await transport.send(requestOf(1))).toEqual({ kind: 'unanswered', reason: 'ECONNREFUSED', isSent: false })
  })

  it('that is reset is reported as sent, whether it was new or reused', async () => {
    await open(({ request, response }, index) =>
      index === 1 ? response.end(answersOf(1)) : void request.socket.resetAndDestroy()
    )
    const answers = [
      await transport.send(requestOf(1)),
      await transport.send(requestOf(1)),
      await transport.send(requestOf(1))
    ]

    expect(answers[0]).toEqual({ kind: 'unanswered', reason: 'ECONNRESET', isSent: true })
    expect(answers[1]).toMatchObject({ kind: 'answered' })
    expect(answers[2]).toEqual({ kind: 'unanswered', reason: 'ECONNRESET', isSent: true })
    // a transport does not decide about retries
    expect(server.received).toHaveLength(3)
  })

  it('that is silent for too long is closed, and the next request uses another one', async () => {
    await open(({ response }, index) => index > 0 && response.end(answersOf(1)), { timeoutMs: 40 })

    expect(await transport.send(requestOf(1))).toEqual({
      kind: 'unanswered',
      reason: 'No answer in 40 ms.',
      isSent: true
    })
    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(server.connections()).toBe(2)
  })

  it('with a response that begins and never ends is closed', async () => {
    await open(({ response }) => response.writeHead(200, { 'content-length': 100 }).write('[{"statusCode"'), {
      timeoutMs: 40
    })

    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: true })
  })

  it('is closed together with the transport, and its request in flight is reported as unanswered', async () => {
    await open(() => transport.close())

    expect(await transport.send(requestOf(1))).toEqual({
      kind: 'unanswered',
      reason: 'The writer was closed.',
      isSent: true
    })
  })
})

describe('an answer', () => {
  it('may arrive in chunks that split a character', async () => {
    const text = Buffer.from('[{"statusCode":400,"message":"Škoda"}]')
    await open(async ({ response }) => {
      response.write(text.subarray(0, 31))
      await new Promise((resolve) => setTimeout(resolve, 10))
      response.end(text.subarray(31))
    })

    expect(await transport.send(requestOf(1))).toEqual({
      kind: 'answered',
      operations: [{ statusCode: 400, message: 'Škoda' }]
    })
  })

  it('that is incomplete is reported as a missing answer', async () => {
    await open(({ response }) => {
      response.writeHead(200, { 'content-length': 1000 }).write('[{"statusCode":201}')
      setTimeout(() => response.destroy(), 10)
    })

    expect(await transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: true })
  })

  it('that refuses the request reports the reason, the time to wait and the charge', async () => {
    const headers = {
      'x-ms-substatus': '3200',
      'x-ms-retry-after-ms': '17.5',
      'x-ms-request-charge': '0.38',
      'x-ms-activity-id': 'a-1'
    }
    await open(({ response }) => response.writeHead(429, headers).end('{"code":"TooManyRequests"}'))

    expect(await transport.send(requestOf(1))).toEqual({
      kind: 'refused',
      status: 429,
      subStatus: 3200,
      retryAfterMs: 17.5,
      chargeRu: 0.38,
      activityId: 'a-1'
    })
  })

  it('that refuses the request with an unreadable body has no reason', async () => {
    await open(({ response }) =>
      response.writeHead(503, { 'x-ms-retry-after-ms': 'soon', 'x-ms-substatus': 'x' }).end()
    )

    expect(await transport.send(requestOf(1))).toEqual({
      kind: 'refused',
      status: 503,
      subStatus: 0,
      retryAfterMs: undefined,
      chargeRu: 0,
      activityId: undefined
    })
  })

  for (const [name, text] of Object.entries({
    'too few elements': '[{"statusCode":201}]',
    'too many elements': '[{"statusCode":201},{"statusCode":201},{"statusCode":201}]',
    'an object instead of an array': '{"statusCode":201}',
    'an element without a status': '[{"statusCode":201},{}]',
    'an element that is null': '[{"statusCode":201},null]',
    'text that is not JSON': '<html>Bad Gateway</html>',
    'an empty body': ''
  })) {
    it(`with ${name} is reported as a missing answer: it is unknown what was applied`, async () => {
      await open(({ response }) => response.end(text))

      expect(await transport.send(requestOf(2))).toMatchObject({ kind: 'unanswered', isSent: true })
    })
  }
})

async function open(
  answer: (received: Received, index: number) => unknown,
  options: Partial<HttpTransportOptions> = {}
): Promise<void> {
  server = await startServer((received, index) => void answer(received, index))
  transport = createHttpTransport({ ...optionsOf(), ...options })
}

function optionsOf(): HttpTransportOptions {
  return {
    endpoint: () => Promise.resolve(server.endpoint),
    database: 'my db',
    container: 'c',
    sign: (verb, type, link) => ({ authorization: `signed:${verb} ${type} ${link}` }),
    timeoutMs: 5000
  }
}

function requestOf(operations: number): Request {
  const body = Buffer.from(JSON.stringify(Array.from({ length: operations }, (_, n) => ({ n }))))
  return { rangeId: '7', atomicKey: undefined, body, operations, maySend: () => true }
}

function answersOf(operations: number): string {
  return JSON.stringify(Array.from({ length: operations }, () => ({ statusCode: 201 })))
}
