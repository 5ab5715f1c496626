// A typical hand-written sink: a template string, and one call of `executeBulkOperations` for each batch.
import { BulkOperationType, CosmosClient } from '@azure/cosmos'
import { Kafka, logLevel } from 'kafkajs'

interface Options {
  readonly brokers: string
  readonly topic: string
  readonly endpoint: string
  readonly key: string
}

const { brokers, topic, endpoint, key } = JSON.parse(process.argv[2]) as Options
const client = new CosmosClient({ endpoint, key })
const container = client.database('d').container('c')
const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING })
const consumer = kafka.consumer({ groupId: `by-hand-${topic}-${Date.now()}` })
process.on('SIGTERM', () => void consumer.disconnect().then(() => process.exit(0)))

await consumer.connect()
await consumer.subscribe({ topics: [topic], fromBeginning: true })
await consumer.run({
  eachBatch: async ({ batch }) => {
    const operations = batch.messages.map(({ value }) => {
      const document = JSON.parse(value!.toString()) as { readonly day: string; readonly VIN: string }
      const partitionKey = `${document.day}.${(hash(document.VIN) % 400) + 1}`
      return { operationType: BulkOperationType.Upsert, partitionKey, resourceBody: { ...document, partitionKey } }
    })
    await container.items.executeBulkOperations(operations)
  }
})

function hash(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003
  return sum
}
