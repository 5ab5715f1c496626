// Starts a broker, prints its address, and waits to be killed.
import { type KafkaHandle, startKafka } from '@keystamp/testkit'

const kafka = (await startKafka({ env: { ...process.env, KEYSTAMP_KAFKA: undefined } })) as KafkaHandle
console.log(kafka.brokers)
setInterval(() => {}, 1000)
