import { logLevel } from 'kafkajs'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientLog, createConnections } from '../../src/kafka/kafka-client.ts'

describe('clientLog', () => {
  it('logs errors as warnings, warnings as information, and nothing else', () => {
    const { log, logged } = createLog()

    for (const level of [logLevel.ERROR, logLevel.WARN, logLevel.INFO, logLevel.DEBUG])
      log(entry(level, `level ${level}`))

    expect(logged.map(([level]) => level)).toEqual(['warn', 'info'])
  })

  it.each([
    ['Limiting retries for the idempotent producer may invalidate EoS guarantees', undefined],
    ['Connection error: write after end', undefined],
    ['Failed to connect to seed broker: This client was closed.', undefined],
    ['Response Heartbeat(key: 12, version: 3)', 'The group is rebalancing, so a rejoin is needed'],
    ['The group is rebalancing, re-joining', 'The group is rebalancing, so a rejoin is needed'],
    ['Response LeaveGroup(key: 13, version: 3)', 'The coordinator is not aware of this member']
  ])('does not log a normal event: %s', (message, error) => {
    const { log, logged } = createLog()

    log({ ...entry(logLevel.ERROR, message), log: { ...entry(logLevel.ERROR, message).log, error } })

    expect(logged).toEqual([])
  })

  it('logs that the coordinator dropped a member that did not leave', () => {
    const { log, logged } = createLog()
    const message = 'Response Heartbeat(key: 12, version: 3)'

    log({
      ...entry(logLevel.ERROR, message),
      log: { ...entry(logLevel.ERROR, message).log, error: 'The coordinator is not aware of this member' }
    })

    expect(logged).toHaveLength(1)
  })

  it('logs a repeated entry once in half a minute', () => {
    const { log, logged, pass } = createLog()

    log(entry(logLevel.ERROR, 'gone'))
    log(entry(logLevel.ERROR, 'gone'))
    pass(30_000)
    log(entry(logLevel.ERROR, 'gone'))

    expect(logged).toHaveLength(2)
  })

  it('logs a repeated entry once in half a minute, even if a new client logs it', () => {
    const { log, logged, createClientLog } = createLog()

    log(entry(logLevel.ERROR, 'gone'))
    createClientLog()(entry(logLevel.ERROR, 'gone'))

    expect(logged).toHaveLength(1)
  })

  it('leaves out stack traces and unknown fields', () => {
    const { log, logged } = createLog()

    log({
      ...entry(logLevel.ERROR, 'broken'),
      log: { ...entry(logLevel.ERROR, 'broken').log, stack: 'at secret', data: 'payload', broker: 'b:1' }
    })

    expect(JSON.stringify(logged)).not.toMatch(/secret|payload/)
    expect(logged).toEqual([['warn', expect.objectContaining({ broker: 'b:1' }), 'Kafka client: broken']])
  })

  it.each([
    ['an error', new Error('not let in'), 'not let in'],
    ['undefined', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
    ['a symbol', Symbol('odd'), 'Symbol(odd)']
  ])('logs an entry with %s as its message', (_what, message, text) => {
    const { log, logged } = createLog()

    log(entry(logLevel.ERROR, message as string))

    expect(logged).toEqual([['warn', expect.anything(), `Kafka client: ${text}`]])
  })

  it('logs an error object by its message, without its stack trace', () => {
    const { log, logged } = createLog()
    const plain = entry(logLevel.ERROR, 'broken')

    log({ ...plain, log: { ...plain.log, error: Object.assign(new Error('why'), { payload: 'secret' }) } })

    expect(logged).toEqual([['warn', expect.objectContaining({ error: 'why' }), 'Kafka client: broken']])
  })

  it('throws the error of `onEntry`', () => {
    const log = clientLog({
      clock: { now: () => 0, schedule: () => () => {} },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      onEntry: () => {
        throw new Error('stop here')
      }
    })

    expect(() => log(entry(logLevel.DEBUG, 'anything'))).toThrow('stop here')
  })
})

function createLog() {
  const logged: [string, object, string][] = []
  let now = 0
  const say = (level: string) => (facts: object, sentence: string) => void logged.push([level, facts, sentence])
  const sinkLog = { info: say('info'), warn: say('warn'), error: say('error') }
  const createClientLog = () => clientLog({ clock: { now: () => now, schedule: () => () => {} }, log: sinkLog })
  return { log: createClientLog(), createClientLog, logged, pass: (ms: number) => void (now += ms) }
}

function entry(level: logLevel, message: string) {
  return { level, namespace: 'Connection', label: '', log: { message, timestamp: '' } }
}

describe('the connections of a client', () => {
  let server: Server
  const accepted: Socket[] = []

  beforeEach(async () => {
    server = createServer((socket) => accepted.push(socket))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
  })

  afterEach(async () => {
    for (const socket of accepted.splice(0)) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })

  function open(connections: ReturnType<typeof createConnections>): Promise<Socket> {
    const { port } = server.address() as { readonly port: number }
    return new Promise((resolve) => {
      const socket = connections.open({
        host: '127.0.0.1',
        port,
        ssl: undefined as never,
        onConnect: () => resolve(socket)
      })
      socket.on('error', () => {})
    })
  }

  it('are closed with the client, which opens no connections afterwards', async () => {
    const connections = createConnections()
    const socket = await open(connections)

    connections.close()

    expect(socket.destroyed).toBe(true)
    await expect(open(connections)).rejects.toThrow('This client was closed.')
  })

  it('are not reset if kafkajs has ended them', async () => {
    const connections = createConnections()
    const socket = await open(connections)
    socket.end()

    connections.close()

    expect(socket.destroyed).toBe(false)
  })
})
