import { afterEach, describe, expect, it } from 'vitest'
import { startKafka, whyNoKafka } from '../../src/kafka/start-kafka.ts'

const path = process.env['PATH']

afterEach(() => {
  process.env['PATH'] = path
})

describe('startKafka', () => {
  it('uses the Kafka broker in KEYSTAMP_KAFKA, and refuses to kill it', async () => {
    const kafka = await startKafka({ env: { KEYSTAMP_KAFKA: 'kafka.example:9092' } })

    expect(kafka).toMatchObject({ brokers: 'kafka.example:9092' })
    await expect('kill' in kafka && kafka.kill()).rejects.toThrow('cannot be killed, restarted, suspended or changed')
  })

  it('returns the reason if there is no Java', async () => {
    process.env['PATH'] = ''

    expect(await startKafka({ env: {} })).toEqual({
      missing: expect.stringContaining('There is no Java on this machine: install Java 17')
    })
    expect(await whyNoKafka({})).toContain('There is no Java')
  })

  it('throws if there is no Java and KEYSTAMP_REQUIRE_KAFKA is set', async () => {
    process.env['PATH'] = ''

    await expect(startKafka({ env: { KEYSTAMP_REQUIRE_KAFKA: '1' } })).rejects.toThrow(
      'Kafka is required here. There is no Java'
    )
  })

  it('needs no Java if KEYSTAMP_KAFKA is set', async () => {
    process.env['PATH'] = ''

    expect(await whyNoKafka({ KEYSTAMP_KAFKA: 'kafka.example:9092' })).toBeUndefined()
  })
})
