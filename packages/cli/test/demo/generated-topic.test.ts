import type { RecordBatch } from '@keystamp/connector'
import { expect, it } from 'vitest'
import { createGeneratedTopic } from '../../src/demo/records-source.ts'

it('the generated topic delivers every record to every sink, in order, and nothing of a paused partition', async () => {
  const topic = createGeneratedTopic(() => 0)
  const seen: string[] = []
  const consumer = topic.createConsumer()
  await consumer.start({
    assigned: () => undefined,
    rebalancing: () => undefined,
    learned: () => {},
    outOfRange: ({ to }) => to,
    received: ({ partition, records, next }: RecordBatch) => {
      seen.push(...records.map(({ offset }) => `${partition}/${offset}`))
      return next
    },
    failed: () => undefined
  })
  consumer.pause([{ topic: 'telemetry', partition: 1 }])

  topic.append(Array.from({ length: 10 }, (_, index) => ({ key: `k${index}`, value: Buffer.from('{}') })))
  await turns()
  expect(seen).toEqual(['0/0', '0/1', '2/0', '3/0', '4/0', '5/0', '6/0', '7/0'])

  consumer.resume([{ topic: 'telemetry', partition: 1 }])
  await turns()

  expect(seen.slice(8)).toEqual(['1/0', '1/1'])
})

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
