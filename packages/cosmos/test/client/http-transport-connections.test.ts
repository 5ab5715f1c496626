import { describe, expect, it } from 'vitest'
import type { Received } from './start-server.ts'
import { answersOf, fakeTimers, requestOf, useHttpTransport } from './use-http-transport.ts'

const http = useHttpTransport()

describe('a connection', () => {
  it('is kept and reused', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))

    for (let index = 0; index < 5; index++) await http.transport.send(requestOf(1))

    expect(http.server.connections()).toBe(1)
  })

  it('is not shared by concurrent requests, so that no request waits for another', async () => {
    const waiting: Received[] = []
    await http.open((received) => {
      if (waiting.push(received) === 3) for (const { response } of waiting.toReversed()) response.end(answersOf(1))
    })

    await Promise.all([1, 2, 3].map(() => http.transport.send(requestOf(1))))

    expect(http.server.connections()).toBe(3)
  })

  it('that the service closes after a response is not reused', async () => {
    await http.open(({ response }) => response.writeHead(200, { connection: 'close' }).end(answersOf(1)))

    await http.transport.send(requestOf(1))

    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(http.server.connections()).toBe(2)
  })

  it('that the service closes while it is idle is not reused', async () => {
    await http.open(({ response }) => response.end(answersOf(1)))
    await http.transport.send(requestOf(1))

    await http.server.closeIdle()

    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(http.server.connections()).toBe(2)
  })

  it('that cannot be established is reported as not sent', async () => {
    await http.open(() => {}, { endpoint: () => Promise.resolve('http://127.0.0.1:1/') })

    expect(await http.transport.send(requestOf(1))).toEqual({
      kind: 'unanswered',
      reason: 'ECONNREFUSED',
      isSent: false
    })
  })

  it('that is reset is reported as sent, whether it was new or reused', async () => {
    await http.open(({ request, response }, index) =>
      index === 1 ? response.end(answersOf(1)) : void request.socket.resetAndDestroy()
    )
    const answers = [
      await http.transport.send(requestOf(1)),
      await http.transport.send(requestOf(1)),
      await http.transport.send(requestOf(1))
    ]

    expect(answers[0]).toEqual({ kind: 'unanswered', reason: 'ECONNRESET', isSent: true })
    expect(answers[1]).toMatchObject({ kind: 'answered' })
    expect(answers[2]).toEqual({ kind: 'unanswered', reason: 'ECONNRESET', isSent: true })
    // a transport does not decide about retries
    expect(http.server.received).toHaveLength(3)
  })

  it('that is silent for too long is closed, and the next request uses another one', async () => {
    const pass = fakeTimers()
    const answer = ({ response }: Received, index: number): unknown =>
      index === 0 ? pass(40) : response.end(answersOf(1))
    await http.open(answer, { timeoutMs: 40 })

    expect(await http.transport.send(requestOf(1))).toEqual({
      kind: 'unanswered',
      reason: 'No answer in 40 ms.',
      isSent: true
    })
    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'answered' })
    expect(http.server.connections()).toBe(2)
  })

  it('with a response that begins and never ends is closed', async () => {
    const pass = fakeTimers()
    const answer = ({ response }: Received): unknown =>
      response.writeHead(200, { 'content-length': 100 }).write('[{"statusCode"', () => setImmediate(pass, 40))
    await http.open(answer, { timeoutMs: 40 })

    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: true })
  })

  it('is closed together with the transport, and its request in flight is reported as unanswered', async () => {
    await http.open(() => http.transport.close())

    expect(await http.transport.send(requestOf(1))).toEqual({
      kind: 'unanswered',
      reason: 'The writer was closed.',
      isSent: true
    })
  })
})
