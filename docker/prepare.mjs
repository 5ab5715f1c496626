// Creates the topics, the database and the containers that the sinks need. Existing ones are kept.
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { connectKafka } from '@keystamp/testkit'
import { CONTAINERS, DATABASE, KEY, withRetries, ADDRESSES, TOPICS } from './services.mjs'

const kafka = await withRetries('Connecting to Kafka', () => connectKafka(ADDRESSES.kafka))
for (const [topic, partitions] of Object.entries(TOPICS)) {
  await withRetries(`Creating the topic ${topic}`, () => kafka.createTopic(topic, { partitions }))
}
// waits until the coordinator of the group has loaded: a sink would fail instead of waiting
for (const topic of CONTAINERS) {
  await withRetries(`Waiting for the group of ${topic}`, () => kafka.committed(`keystamp-${topic}`, [topic]))
}
await kafka.close()

const client = new CosmosClient({ endpoint: ADDRESSES.cosmos, key: KEY })
const { database } = await withRetries(`Creating the database ${DATABASE}`, () =>
  client.databases.createIfNotExists({ id: DATABASE })
)
for (const id of CONTAINERS) {
  const partitionKey = { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
  await database.containers.createIfNotExists({ id, partitionKey, throughput: 20_000 })
}
client.dispose()

process.stdout.write(`topics ${Object.keys(TOPICS).join(', ')} and containers ${CONTAINERS.join(', ')} exist\n`)
