import type { ConsumerConfig, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { createMember } from '../../src/kafka/kafkajs-member.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'

// checks L6
it('a member limits the bytes of a fetch to those of four partitions, for any number of partitions', () => {
  const asked: ConsumerConfig[] = []
  const kafka = {
    consumer: (config: ConsumerConfig) => {
      asked.push(config)
      return new ConsumerStub()
    }
  }

  createMember({
    kafka: kafka as unknown as Kafka,
    settings: kafkaSettings('a:1', 'g', ['t'], { maxBytesPerPartition: 1000 }),
    topics: ['t'],
    clock: MACHINE_CLOCK,
    listener: {} as never,
    former: undefined,
    retries: 0
  })

  expect(asked).toMatchObject([{ maxBytesPerPartition: 1000, maxBytes: 4000 }])
})

/** Consumer of kafkajs that is never started. */
class ConsumerStub {
  readonly events = {}
  on(): () => void {
    return () => {}
  }
}
