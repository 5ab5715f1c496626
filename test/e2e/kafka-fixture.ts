import { type KafkaHandle, type KafkaMissing, startKafka } from '@keystamp/testkit'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address from which tests get the broker that all of them share. */
    readonly kafkaFixture: string
  }
}

/** Vitest calls this before the first test: one broker for the whole run, started when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<KafkaHandle | KafkaMissing> | undefined
  const fixture = createServer((_request, response) => {
    started ??= startKafka()
    started.then(
      (kafka) => response.end(JSON.stringify('missing' in kafka ? kafka : { brokers: kafka.brokers })),
      (error: Error) => response.end(JSON.stringify({ failed: error.message }))
    )
  })
  await new Promise<void>((resolve) => fixture.listen(0, '127.0.0.1', resolve))
  project.provide('kafkaFixture', `http://127.0.0.1:${(fixture.address() as AddressInfo).port}`)
  return async () => {
    fixture.closeAllConnections()
    fixture.close()
    const kafka = await started?.catch(() => undefined)
    if (kafka !== undefined && 'stop' in kafka) await kafka.stop()
  }
}
