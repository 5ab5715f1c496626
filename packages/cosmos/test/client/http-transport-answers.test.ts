import { describe, expect, it } from 'vitest'
import { requestOf, useHttpTransport } from './use-http-transport.ts'

const http = useHttpTransport()

describe('an answer', () => {
  it('may arrive in chunks that split a character', async () => {
    const text = Buffer.from('[{"statusCode":400,"message":"Škoda"}]')
    await http.open(async ({ response }) => {
      response.write(text.subarray(0, 31))
      await new Promise((resolve) => setTimeout(resolve, 10))
      response.end(text.subarray(31))
    })

    expect(await http.transport.send(requestOf(1))).toEqual({
      kind: 'answered',
      operations: [{ statusCode: 400, message: 'Škoda' }]
    })
  })

  it('that is incomplete is reported as a missing answer', async () => {
    await http.open(({ response }) => {
      response.writeHead(200, { 'content-length': 1000 }).write('[{"statusCode":201}')
      setTimeout(() => response.destroy(), 10)
    })

    expect(await http.transport.send(requestOf(1))).toMatchObject({ kind: 'unanswered', isSent: true })
  })

  it('that refuses the request reports the reason, the time to wait and the charge', async () => {
    const headers = {
      'x-ms-substatus': '3200',
      'x-ms-retry-after-ms': '17.5',
      'x-ms-request-charge': '0.38',
      'x-ms-activity-id': 'a-1'
    }
    await http.open(({ response }) => response.writeHead(429, headers).end('{"code":"TooManyRequests"}'))

    expect(await http.transport.send(requestOf(1))).toEqual({
      kind: 'refused',
      status: 429,
      subStatus: 3200,
      retryAfterMs: 17.5,
      chargeRu: 0.38,
      activityId: 'a-1'
    })
  })

  it('that refuses the request with an unreadable body has no reason', async () => {
    await http.open(({ response }) =>
      response.writeHead(503, { 'x-ms-retry-after-ms': 'soon', 'x-ms-substatus': 'x' }).end()
    )

    expect(await http.transport.send(requestOf(1))).toEqual({
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
      await http.open(({ response }) => response.end(text))

      expect(await http.transport.send(requestOf(2))).toMatchObject({ kind: 'unanswered', isSent: true })
    })
  }
})
