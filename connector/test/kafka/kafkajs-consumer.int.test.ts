import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { describeConsumer } from './contract/consumer-contract.ts'
import { QUIET } from './quiet-log.ts'

describeConsumer('the consumer over kafkajs', {
  ...(await sharedKafka()),
  create: (settings) => createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
})
