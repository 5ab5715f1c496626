import { afterEach, describe, expect, it } from 'vitest'
import { startKafka, whyNoKafka } from '../../src/kafka/start-kafka.ts'

const path = process.env['PATH']

afterEach(() => {
  process.env['PATH'] = path
})

describe('startKafka', () => {
  it('uses the Kafka of KEYSTAMP_KAFKA, and does not change it', async () => {
    const kafka = await startKafka({ env: { KEYSTAMP_KAFKA: 'kafka.example:9092' } })

    expect(kafka).toMatchObject({ brokers: 'kafka.example:9092' })
    await expect('kill' in kafka && kafka.kill()).rejects.toThrow('cannot be killed, restarted, suspended or changed')
  })

  it('reports what is missing if there is no Java', async () => {
    process.env['PATH'] = ''

    expect(await startKafka({ env: {} })).toEqual({
      missing: expect.stringContaining('There is no Java on this machine: install Java 17')
    })
    expect(await whyNoKafka({})).toContain('There is no Java')
  })

  it('throws if a Kafka is required', async () => {
    process.env['PATH'] = ''

    await expect(startKafka({ env: { KEYSTAMP_REQUIRE_KAFKA: '1' } })).rejects.toThrow(
      'Kafka is required here. There is no Java'
    )
  })

  it('needs no Java if a Kafka is given', async () => {
    process.env['PATH'] = ''

    expect(await whyNoKafka({ KEYSTAMP_KAFKA: 'kafka.example:9092' })).toBeUndefined()
  })
})
