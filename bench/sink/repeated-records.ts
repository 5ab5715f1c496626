import { createTelemetry } from '@keystamp/testkit'

interface Produced {
  readonly key: string
  readonly value: Buffer
}

/** Returns the same records of 1 KB repeatedly: upserts of these records do not let the emulator grow. */
export function createRepeatedRecords(seed: number, distinct: number): () => Produced {
  const { big } = createTelemetry(seed)
  const records = Array.from({ length: distinct }, (): Produced => {
    const record = { ...big(), day: '2018-08-09', partitionKey: undefined }
    return { key: record.deviceId, value: Buffer.from(JSON.stringify(record)) }
  })
  let next = 0
  return () => records[next++ % distinct]
}
