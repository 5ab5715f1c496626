import { describe, expect, it } from 'vitest'
import { type DescribedTopic, topicIdRequest } from '../../src/kafka/topic-id-request.ts'
import { TopicIds } from '../../src/kafka/topic-ids.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

const ID = '00112233445566778899aabbccddeeff'

describe('the request for topic ids', () => {
  // https://kafka.apache.org/protocol#The_Messages_Metadata, version 10
  it('has the bytes of a Metadata request', async () => {
    const { request } = topicIdRequest(['ab'])
    const { buffer } = await request.encode()
    expect(buffer.toString('hex')).toBe(`0002${'00'.repeat(16)}0361620000000000`)
    expect(request).toMatchObject({ apiKey: 3, apiVersion: 10 })
  })

  it('finds the ids in the response, after brokers and partitions', async () => {
    const { response } = topicIdRequest(['ab'])
    const described = await response.decode(responseOf(ID, 0))
    expect(described).toEqual([{ topic: 'ab', errorCode: 0, id: ID }])
  })

  it('finds no id if the topic was created before topics had ids', async () => {
    const { response } = topicIdRequest(['ab'])
    const described = await response.decode(responseOf('00'.repeat(16), 0))
    expect(described).toEqual([{ topic: 'ab', errorCode: 0, id: undefined }])
  })
})

describe('topic ids', () => {
  it('are read again after five seconds, and tell whether the topic is still the same', async () => {
    const { ids, clock, answer } = open()
    expect(ids.isCurrent('ab')).toBe(false)
    // the records were fetched before the id was known
    expect(await ids.read('ab')).toBe(false)
    expect(ids.of('ab')).toBe('1')
    expect(ids.isCurrent('ab')).toBe(true)

    await clock.runUntil(5000)
    expect(ids.isCurrent('ab')).toBe(false)
    expect(await ids.read('ab')).toBe(true)

    answer.current = { topic: 'ab', errorCode: 0, id: '2' }
    expect(await ids.read('ab')).toBe(false)
    expect(ids.of('ab')).toBe('2')
  })

  it('stay the same while the topic is being deleted', async () => {
    const { ids, answer } = open()
    await ids.read('ab')
    answer.current = { topic: 'ab', errorCode: 3, id: undefined }
    expect(await ids.read('ab')).toBe(true)
    expect(ids.of('ab')).toBe('1')
  })

  it('cannot be read of an unknown topic', async () => {
    const { ids, answer } = open()
    answer.current = { topic: 'ab', errorCode: 3, id: undefined }
    await expect(ids.read('ab')).rejects.toMatchObject({ type: 'UNKNOWN_TOPIC_OR_PARTITION' })
  })

  it('are unknown if the brokers know none', async () => {
    const { ids, answer } = open()
    answer.current = undefined
    expect(await ids.read('ab')).toBe(false)
    expect(await ids.read('ab')).toBe(true)
    expect(ids.of('ab')).toBeUndefined()
  })
})

function open() {
  const clock = new VirtualClock()
  const answer: { current: DescribedTopic | undefined } = { current: { topic: 'ab', errorCode: 0, id: '1' } }
  const ids = new TopicIds({ clock, ask: async () => answer.current && [answer.current] })
  return { ids, clock, answer }
}

/** A response with one broker, and one topic with one partition and two replicas. */
function responseOf(id: string, errorCode: number): Buffer {
  const [none, integer] = ['00', '00000001']
  const broker = [integer, '0268', integer, none, none]
  const partition = ['0000', integer, integer, integer, `03${integer}${integer}`, `02${integer}`, '01', none]
  const topic = [errorCode.toString(16).padStart(4, '0'), '036162', id, '00', '02', ...partition, integer, none]
  return Buffer.from([none, integer, '02', ...broker, '0263', integer, '02', ...topic, integer, none].join(''), 'hex')
}
