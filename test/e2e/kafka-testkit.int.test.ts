import { connectKafka, type KafkaClient, type KafkaHandle, startKafka } from '@keystamp/testkit'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from './shared-kafka.ts'

const { isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`a new broker${why}`, () => {
  let kafka: KafkaHandle
  let client: KafkaClient

  beforeAll(async () => {
    kafka = (await startKafka({ env: { ...process.env, KEYSTAMP_KAFKA: undefined } })) as KafkaHandle
    client = await connectKafka(kafka.brokers)
  })

  afterAll(async () => {
    await client?.close()
    await kafka?.stop()
  })

  it('keeps its records when it is killed and started again', async () => {
    await client.createTopic('kept', { partitions: 2 })
    await client.produce('kept', [{ partition: 1, key: 'k', value: 'before' }])

    await kafka.kill()
    await expect(reach(kafka.brokers)).rejects.toThrow('ECONNREFUSED')
    await kafka.restart()
    await client.produce('kept', [
      { partition: 1, key: 'k', value: null, headers: { h: ['1', '2'] }, timestamp: '1533818096000' }
    ])

    const records = await client.read('kept')
    expect(records.map(({ partition, offset, value }) => [partition, offset, value?.toString()])).toEqual([
      [1, '0', 'before'],
      [1, '1', undefined]
    ])
    expect(records[1]).toMatchObject({
      timestamp: '1533818096000',
      headers: { h: [Buffer.from('1'), Buffer.from('2')] }
    })
  })

  it('accepts connections and answers nothing while it is suspended', async () => {
    await kafka.freeze()
    await reach(kafka.brokers)
    let isAnswered = false
    const answered = client.createTopic('late').then(() => {
      isAnswered = true
      return undefined
    })
    await pass(1000)
    expect(isAnswered).toBe(false)

    await kafka.thaw()
    await answered
  })

  it('returns no records of aborted transactions', async () => {
    await client.createTopic('transactions')
    await client.produceTransaction('transactions', [{ value: 'dropped' }], { abort: true })
    await client.produceTransaction('transactions', [{ value: 'kept' }])

    expect((await client.read('transactions')).map(({ offset, value }) => [offset, String(value)])).toEqual([
      ['2', 'kept']
    ])
    expect(await client.ends('transactions')).toEqual(new Map([[0, '4']]))
  })

  it('compacts a topic within seconds', { timeout: 30_000 }, async () => {
    const config = {
      'cleanup.policy': 'compact',
      'segment.bytes': '1048576',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.01'
    }
    await client.createTopic('compacted', { config })
    for (const value of ['1', '2', '3']) {
      await client.produce('compacted', [{ key: 'same', value }])
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    await client.produce('compacted', [{ key: 'other', value: '4' }])

    await expect
      .poll(async () => (await client.read('compacted')).map(({ value }) => String(value)), { timeout: 20_000 })
      .toEqual(['3', '4'])
  })
})

describe.skipIf(isMissing)(`a process that has started a broker${why}`, () => {
  it('ends the broker when it is killed', async () => {
    const program = fileURLToPath(new URL('kafka-testkit/start-and-wait.ts', import.meta.url))
    const starter = spawn(process.execPath, ['--conditions=@keystamp/source', '--import', 'tsx', program], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [brokers] = (await once(starter.stdout, 'data')) as [Buffer]
    const address = brokers.toString().trim()
    await reach(address)

    starter.kill('SIGKILL')

    await expect
      .poll(
        () =>
          reach(address).then(
            () => 'open',
            (error: Error) => error.message
          ),
        { timeout: 5000 }
      )
      .toContain('ECONNREFUSED')
  })
})

async function reach(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.destroy()
}
