import type { ISocketFactory, Kafka } from 'kafkajs'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKafkajsProducer } from '../../src/dead-letter/kafkajs-producer.ts'
import type { Connections } from '../../src/kafka/kafka-client.ts'

let server: Server
const accepted = new Set<Socket>()

beforeEach(async () => {
  server = createServer((socket) => {
    accepted.add(socket)
    socket.resume()
    socket.once('close', () => accepted.delete(socket))
    // a connection that is reset
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  for (const socket of accepted) socket.destroy()
  server.close()
})

describe('connections of a producer of dead-letter records', () => {
  it('are closed if the producer connects but cannot start', async () => {
    const producer = createKafkajsProducer((connections) => kafkaWith(connections), 'dead')

    await expect(producer.check()).rejects.toThrow('temporary')

    await expect.poll(() => accepted.size).toBe(0)
  })

  it('are not opened again by calls that still use a closed producer', async () => {
    let last: Connections | undefined
    const producer = createKafkajsProducer((connections) => kafkaWith((last = connections)), 'dead')
    await expect(producer.check()).rejects.toThrow('temporary')
    await producer.close()

    expect(() => openSocket(last!)).toThrow('This client was closed.')
  })
})

/** A Kafka whose producers connect, and then get no id. */
function kafkaWith(connections: Connections): Kafka {
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicMetadata: async () => ({ topics: [{ partitions: [{}] }] }),
    describeConfigs: async () => ({ resources: [] })
  }
  const producer = {
    connect: async () => {
      await once(openSocket(connections), 'connect')
      await expect.poll(() => accepted.size).toBe(1)
      throw new Error('The coordinator is not available')
    }
  }
  return { admin: () => admin, producer: () => producer } as unknown as Kafka
}

function openSocket({ open }: Connections): Socket {
  const { port } = server.address() as AddressInfo
  const socket = open({ host: '127.0.0.1', port, onConnect: () => {} } as Parameters<ISocketFactory>[0])
  // kafkajs listens for errors, too; without a listener, an error would end the process
  return socket.on('error', () => {})
}
