import { afterEach, describe, expect, it } from 'vitest'
import { type AnswerBuffer, createHttpClient, type HttpAnswer } from '../../src/client/http-client.ts'
import { startServer, type TestServer } from './start-server.ts'

const ended: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

describe('an HTTP client', () => {
  it('receives a body in several parts into the memory of the caller', async () => {
    const body = 'x'.repeat(300_000)
    const { send, buffer, memory } = await start(({ response }) => {
      response.setHeader('content-length', body.length)
      response.write(body.slice(0, 1000))
      setImmediate(() => response.end(body.slice(1000)))
    })

    const answer = await send(buffer)

    expect(answer.text).toBe(body)
    expect(answer.bytes.buffer).toBe(memory.buffer)
  })

  it('overwrites the last answer in this memory', async () => {
    let count = 0
    const { send, buffer } = await start(({ response }) => {
      const body = count++ === 0 ? 'a long answer' : 'short'
      response.setHeader('content-length', body.length).end(body)
    })

    const first = await send(buffer)
    const second = await send(buffer)

    expect(second.text).toBe('short')
    expect(first.text).toBe('shortg answer')
  })

  it('needs no memory for an answer without a body, or of unknown length', async () => {
    const { send, buffer } = await start(({ response }, index) => {
      if (index === 0) response.writeHead(304, { 'content-length': '13' }).end()
      else {
        response.write('some')
        response.end(' text')
      }
    })

    expect(await send(buffer)).toMatchObject({ status: 304, text: '' })
    expect(await send(buffer)).toMatchObject({ status: 200, text: 'some text' })
  })

  it.each([true, false])(
    'rejects an answer whose connection ends early, with memory of the caller: %s',
    async (has) => {
      const { send, buffer } = await start(({ response }) => {
        response.setHeader('content-length', 1000)
        response.write('x', () => response.destroy())
      })

      await expect(send(has ? buffer : undefined)).rejects.toThrow('aborted')
    }
  )
})

async function start(answer: Parameters<typeof startServer>[0]): Promise<{
  send: (buffer: AnswerBuffer | undefined) => Promise<HttpAnswer>
  buffer: AnswerBuffer
  memory: Buffer
}> {
  const server: TestServer = await startServer(answer)
  ended.push(server.stop)
  const client = createHttpClient(undefined)
  ended.push(client.close)
  const memory = Buffer.alloc(2 ** 20)
  const { protocol, hostname, port, pathname: path } = new URL(server.endpoint)
  return {
    send: (buffer) => client.send({ target: { protocol, hostname, port, path }, method: 'GET', headers: {}, buffer }),
    buffer: { room: () => memory },
    memory
  }
}
